import { useState } from 'react';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatINR, subtract, sum } from '../../../shared/calc/money.ts';
import { HSD_REASON_MAX, reasonRequired } from '../../../shared/contract/hsd-verification.ts';
import { ConfirmButtons } from '../../kit/actions/confirm-button.tsx';
import { useReasonField } from '../../kit/forms/use-reason.ts';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { Select } from '../../kit/ui/select-field.tsx';
import { TextArea } from '../../kit/ui/text-field.tsx';
import type { AcceptedLine, ToAccept } from './use-acceptance.ts';

interface AcceptDialogProps {
  rows: readonly ToAccept[];
  isBusy: boolean;
  onAccept: (lines: AcceptedLine[], reason: string) => void;
  onClose: () => void;
}

const maxLines = 8;
const none = '';

/**
 * Asks for confirmation, and for a reason where one is needed, before rows that differ are accepted
 * (docs/specification.md §11.5). If several challans fit a row, the user chooses one.
 */
export function AcceptDialog({ rows, isBusy, onAccept, onClose }: AcceptDialogProps) {
  const { reason, field, refuse, fieldProps } = useReasonField();
  const [choices, setChoices] = useState<Readonly<Record<number, string>>>({});
  const chosen = rows.map(({ row, offers }) => {
    const [only, ...others] = offers;
    return others.length === 0 ? only : offers.find(({ challanId }) => challanId === choices[row]);
  });
  const isComplete = chosen.every((offer) => offer !== undefined);
  const isReasonNeeded = chosen.some((offer) => offer && !offer.isWithinTolerance);
  const billed = sum(rows.map(({ uploadedAmount }) => uploadedAmount));
  const ours = sum(chosen.map((offer) => offer?.challanAmount ?? '0.00'));

  const accept = (): void => {
    if (isBusy || !isComplete) return;
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
  const title = rows.length === 1 ? 'Accept this row?' : `Accept ${formatCount(rows.length)} rows?`;
  const missingReason = isComplete ? undefined : 'Choose a challan for each row';

  return (
    <Dialog
      role="alertdialog"
      size="lg"
      title={title}
      description="The challans of these rows will be marked as HSD verified"
      onClose={onClose}
      initialFocus={isComplete ? field : undefined}
      footer={
        <ConfirmButtons
          onCancel={onClose}
          label="Accept and Verify"
          run={accept}
          busy={isBusy}
          disabledReason={missingReason}
        />
      }
    >
      <p className="mb-3">
        The bill claims <b className="nums">{formatINR(billed)}</b>
        {isComplete && (
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
                  ...offers.map(({ challanId, description }) => ({ value: challanId, label: description })),
                ]}
                onValueChange={(value) => setChoices((before) => ({ ...before, [row]: value }))}
              />
            </li>
          ) : (
            index < maxLines && (
              <li key={row} className="nums">
                Row {row}, TP No {tpNo}, {formatINR(uploadedAmount)}: {offers[0]?.description}
              </li>
            )
          ),
        )}
        {rows.length > maxLines && <li className="text-muted">and others, {formatCount(rows.length)} in all</li>}
      </ul>
      <TextArea
        {...fieldProps}
        ref={field}
        required={isReasonNeeded}
        maxLength={HSD_REASON_MAX}
        placeholder="New rate from the 5th, wrong number on the slip…"
        hint="Saved with the row and in the history of the challan"
      />
    </Dialog>
  );
}
