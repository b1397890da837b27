import { useCallback, useEffect, useRef, type ReactNode } from 'react';
import { FileDown } from 'lucide-react';
import { canSendToBank, reasonOf } from '../../../shared/access.ts';
import type { PaymentBatch } from '../../../shared/contract/payment-batches.ts';
import { notify } from '../../feedback/toast.ts';
import { useRowSelection } from '../../grid/row-selection.ts';
import { Button } from '../../ui/button.tsx';

/** As many payments as one bank file is made of (docs/specification.md §24.4). */
const mostPayments = 50;

const selecting = {
  keyOf: ({ id }: PaymentBatch): string => id,
  labelOf: ({ number }: PaymentBatch): string => `Select ${number}`,
  disabledReason: (row: PaymentBatch): string | undefined => reasonOf(canSendToBank(row)),
};

/** The payments that go into one bank file, over pages and filters of the list. */
export function usePaymentSelection(
  rows: readonly PaymentBatch[] | undefined,
  send: (batches: readonly PaymentBatch[]) => void,
) {
  const { ids, selection, clear } = useRowSelection(rows, selecting);
  // Those of other pages are not in `rows` any more.
  const seen = useRef(new Map<string, PaymentBatch>());
  // The buttons of all rows hold what this gives: a new function at each tick would draw them all again.
  const latest = useRef(ids);
  useEffect(() => {
    for (const row of rows ?? []) seen.current.set(row.id, row);
    latest.current = ids;
  });
  const sendSelected = useCallback((): void => {
    const batches = [...latest.current].flatMap((id) => seen.current.get(id) ?? []);
    if (batches.length <= mostPayments) send(batches);
    else notify.warning(`A bank file takes at most ${mostPayments} payments. Take some out.`);
  }, [send]);
  /** B on a row: the selection where there is one, else the row. */
  const sendByKey = useCallback(
    (row: PaymentBatch): void => {
      const reason = selecting.disabledReason(row);
      if (latest.current.size > 0) sendSelected();
      else if (reason === undefined) send([row]);
      else notify.warning(reason, { kind: reason, many: () => reason });
    },
    [send, sendSelected],
  );
  const { size } = ids;
  const elsewhere = size - (rows ?? []).filter(({ id }) => ids.has(id)).length;
  const footer: ReactNode = size > 0 && (
    <>
      <p role="status" className="nums min-w-0 truncate text-xs text-muted">
        <b className="text-ink">{size.toLocaleString('en-IN')} selected</b>
        {elsewhere > 0 && ` (${elsewhere.toLocaleString('en-IN')} not on this page)`}
      </p>
      <Button size="sm" variant="primary" keys="B" icon={<FileDown size={14} aria-hidden />} onClick={sendSelected}>
        Bank File
      </Button>
      <Button size="sm" variant="ghost" keys="Esc" onClick={clear}>
        Clear
      </Button>
    </>
  );
  return { selection, footer, clear, sendByKey };
}
