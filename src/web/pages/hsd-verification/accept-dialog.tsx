import { useState } from 'react';
import { formatINR, subtract, sum } from '../../../shared/calc/money.ts';
import { HSD_REASON_MAX, reasonRequired } from '../../../shared/contract/hsd-verification.ts';
import { ConfirmKey } from '../../actions/confirm-key.ts';
import { useReason } from '../../forms/use-reason.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select-field.tsx';
import { TextArea } from '../../ui/text-field.tsx';
import type { AcceptedLine, ToAccept } from './use-acceptance.ts';

interface AcceptDialogProps {
  rows: readonly ToAccept[];
  isBusy: boolean;
  onAccept: (lines: AcceptedLine[], reason: string) => void;
  onClose: () => void;
}

const shownLines = 8;
const none = '';
const count = (n: number): string => n.toLocaleString('en-IN');

/**
 * What is accepted although it differs, and why (docs/specification.md §11.5). Where several challans fit, the user says
 * which.
 */
export function AcceptDialog({ rows, isBusy, onAccept, onClose }: AcceptDialogProps) {
  const { reason, field, refuse, ofField } = useReason();
  const [choices, setChoices] = useState<Readonly<Record<number, string>>>({});
  const chosen = rows.map(({ row, offers }) => {
    const [only, ...others] = offers;
    return others.length === 0 ? only : offers.find(({ challanId }) => challanId === choices[row]);
  });
  const isWhole = chosen.every((offer) => offer !== undefined);
  const isReasonNeeded = chosen.some((offer) => offer && !offer.isWithinTolerance);
  const billed = sum(rows.map(({ uploadedAmount }) => uploadedAmount));
  const ours = sum(chosen.map((offer) => offer?.challanAmount ?? '0.00'));

  const accept = (): void => {
    if (isBusy || !isWhole) return;
    if (isReasonNeeded && reason.trim() === '') {
      refuse(reasonRequired);
      return;
    }
    onAccept(
      rows.flatMap(({ row }, index) => {
        const offer = chosen[index];
        return offer ? [{ row, challanId: offer.challanId, challanAmount: offer.challanAmount }] : [];
      }),
      reason.trim(),
    );
  };
  const title = rows.length === 1 ? 'Accept this row?' : `Accept ${count(rows.length)} rows?`;
  const missing = isWhole ? undefined : 'Choose a challan for each row';

  return (
    <Dialog
      open
      role="alertdialog"
      size="lg"
      title={title}
      description="Their challans become HSD verified"
      onClose={onClose}
      initialFocus={isWhole ? field : undefined}
      footer={
        <>
          <ConfirmKey label="Accept and Verify" run={accept} disabledReason={missing} />
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" keys="Ctrl+Enter" busy={isBusy} disabledReason={missing} onClick={accept}>
            Accept and Verify
          </Button>
        </>
      }
    >
      <p className="mb-3">
        The bill asks for <b className="nums">{formatINR(billed)}</b>
        {isWhole && (
          <>
            , the challans have <b className="nums">{formatINR(ours)}</b>: a difference of{' '}
            <b className="nums">{formatINR(subtract(billed, ours))}</b>
          </>
        )}
        .
      </p>
      <ul className="mb-3 grid list-none gap-1.5">
        {rows.map(({ row, tpNo, uploadedAmount, offers }, index) =>
          offers.length > 1 ? (
            <li key={row}>
              <Select
                reserve={false}
                label={`Row ${row}, TP No ${tpNo}, ${formatINR(uploadedAmount)}`}
                value={choices[row] ?? none}
                options={[
                  { value: none, label: 'Choose the challan' },
                  ...offers.map(({ challanId, words }) => ({ value: challanId, label: words })),
                ]}
                onValueChange={(value) => setChoices((before) => ({ ...before, [row]: value }))}
              />
            </li>
          ) : (
            index < shownLines && (
              <li key={row} className="nums">
                Row {row}, TP No {tpNo}, {formatINR(uploadedAmount)}: {offers[0]?.words}
              </li>
            )
          ),
        )}
        {rows.length > shownLines && <li className="text-muted">and others, {count(rows.length)} in all</li>}
      </ul>
      <TextArea
        {...ofField}
        ref={field}
        required={isReasonNeeded}
        maxLength={HSD_REASON_MAX}
        placeholder="New rate from the 5th, wrong number on the slip…"
        hint="Kept with the row and in the challan's history"
      />
    </Dialog>
  );
}
