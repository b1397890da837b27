import { useId, useState } from 'react';
import { formatDate } from '../../../../shared/calc/dates.ts';
import { formatINR } from '../../../../shared/calc/money.ts';
import { outcomeWords, type ProposalRow } from '../../../../shared/columns/bank-answer-columns.ts';
import { ConfirmButtons } from '../../../kit/actions/confirm-button.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';

interface ChooseDialogProps {
  row: ProposalRow;
  isBusy: boolean;
  /** Called with the index of the chosen candidate. */
  onAccept: (candidate: number) => void;
  onClose: () => void;
}

/** Shows one answer of the bank with the payments that it may belong to, and lets the user choose. */
export function ChooseDialog({ row, isBusy, onAccept, onClose }: ChooseDialogProps) {
  const [chosen, setChosen] = useState(row.candidates.length === 1 ? 0 : -1);
  const name = useId();
  const accept = (): void => {
    if (chosen >= 0 && !isBusy) onAccept(chosen);
  };
  return (
    <Dialog
      size="lg"
      title="Which payment is it?"
      description={row.text}
      onClose={onClose}
      footer={
        <ConfirmButtons
          onCancel={onClose}
          label={`Accept as ${outcomeWords[row.outcome].toLowerCase()}`}
          run={accept}
          busy={isBusy}
          disabledReason={chosen < 0 ? 'Choose one of the payments' : undefined}
        />
      }
    >
      <p className="nums mb-2 text-muted">
        {[row.day && formatDate(row.day), row.amount && formatINR(row.amount), row.utr && `UTR ${row.utr}`]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <fieldset className="grid gap-1">
        <legend className="sr-only">Payments</legend>
        {row.candidates.map(({ line, why }, index) => (
          <div key={line.id} className="flex items-start gap-2 rounded-md border border-line px-3 py-2 hover:bg-hover">
            <input
              type="radio"
              id={`${name}-${index}`}
              name={name}
              className="mt-0.5"
              aria-describedby={`${name}-${index}-why`}
              checked={chosen === index}
              onChange={() => setChosen(index)}
            />
            <div className="min-w-0">
              <label htmlFor={`${name}-${index}`} className="font-medium">
                {`${line.name}, ${formatINR(line.amount)}`}
              </label>
              <p id={`${name}-${index}-why`} className="nums text-xs text-muted">
                {line.reference} · account …{line.accountNo.slice(-4)} · sent {formatDate(line.sentOn)} · {why}
              </p>
            </div>
          </div>
        ))}
      </fieldset>
      {(row.outcome === 'failed' || row.outcome === 'returned') && (
        <p className="mt-3">The challans of this payment and owner become unpaid, with the bank’s reason.</p>
      )}
    </Dialog>
  );
}
