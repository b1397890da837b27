import { useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { useQuery } from '@tanstack/react-query';
import { formatINR } from '../../../shared/calc/money.ts';
import type { LayoutDefinition } from '../../../shared/bank/layout.ts';
import { lineReference } from '../../../shared/bank/lines.ts';
import { writeBankFile } from '../../../shared/bank/write-file.ts';
import { paymentBatches } from '../../resources/payment-batches.ts';
import { bankAccounts } from '../../resources/bank-accounts.ts';
import { bankFiles } from '../../resources/bank-files.ts';
import { call } from '../../kit/api/client.ts';
import { FailureAlert } from '../../kit/feedback/failure-alert.tsx';
import { screens } from '../../screens.ts';
import { Select } from '../../kit/ui/select-field.tsx';

/** More lines than these show nothing new about a layout. */
const maxLines = 20;

/** Shows the file that a real payment would get with this layout. Nothing is saved. */
export function LayoutTrial({ definition }: { definition: LayoutDefinition }) {
  const payments = paymentBatches.useList({ query: { page: 1, limit: 20, state: 'paid' } }).data?.data ?? [];
  const account = bankAccounts.useList({ query: { page: 1, limit: 1 } }).data?.data[0];
  const [chosen, setChosen] = useState<string>();
  const payment = payments.find(({ id }) => id === chosen) ?? payments[0];
  const check = useQuery({
    queryKey: ['bank-files', 'check', payment?.id, account?.id],
    enabled: payment !== undefined && account !== undefined,
    queryFn: async ({ signal }) => {
      const body = { batchIds: [payment?.id ?? ''], bankAccountId: account?.id ?? '' };
      return (await call(bankFiles.calls.check, { body }, { signal })).data;
    },
  });
  const file = useMemo(() => {
    if (!check.data) return undefined;
    const { account: payer, serial, fileOn, lines } = check.data;
    const { clientCode, name: payerName, accountNo: payerAccount, ifsc: payerIfsc } = payer;
    return writeBankFile(
      definition,
      { clientCode, payerName, payerAccount, payerIfsc, serial, fileOn, valueOn: fileOn },
      lines
        .slice(0, maxLines)
        .map((line, index) => ({ ...line, reference: lineReference(line.paymentNumber, index + 1, definition) })),
    );
  }, [check.data, definition]);

  return (
    <section aria-label="Try it" className="grid gap-2">
      <div className="max-w-sm">
        <Select
          label="Try it on"
          value={payment?.id ?? ''}
          onValueChange={setChosen}
          options={payments.map(({ id, number, totalAmount }) => ({
            value: id,
            label: `${number}, ${formatINR(totalAmount)}`,
          }))}
        />
      </div>
      {check.error && <FailureAlert error={check.error} fallback="Failed to check the lines" />}
      {!account && (
        <p className="text-muted">
          To try the layout, add the account you pay from under{' '}
          <Link to={screens.bankAccounts.path}>Bank Accounts</Link>.
        </p>
      )}
      {file && (
        <>
          <p className="text-xs text-muted">
            <b className="font-mono">{file.name}</b> · check a file with one line with your bank first
            {file.problems.length > 0 && ` · ${file.problems[0]}`}
          </p>
          <pre
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by key
            tabIndex={0}
            aria-label="Contents of the file"
            className="max-h-64 overflow-auto rounded border border-line bg-surface p-2 font-mono text-xs whitespace-pre"
          >
            {file.text}
          </pre>
        </>
      )}
    </section>
  );
}
