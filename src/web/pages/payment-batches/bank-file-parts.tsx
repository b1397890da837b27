import type { ReactNode } from 'react';
import { countText, formatCount } from '../../../shared/calc/count-text.ts';
import { failureText } from '../../../shared/bank/lines.ts';
import type { CheckedLine } from '../../../shared/contract/bank-files.ts';
import { Alert } from '../../ui/alert.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';

/**
 * Warns if the bank details of owners have changed since the payment. The file uses the details that were frozen with
 * the payment.
 */
export function ChangedDetailsAlert({ rows }: { rows: readonly CheckedLine[] }) {
  const [first] = rows;
  if (!first?.today) return null;
  const { name, accountNo, ifsc, today: now } = first;
  const parts: ReactNode[] = [
    ...(now.name === name ? [] : [`name ${now.name}`]),
    ...(now.accountNo === accountNo ? [] : [`account ${now.accountNo}`]),
    ...(now.ifsc === ifsc ? [] : [`IFSC ${now.ifsc === '' ? 'none' : now.ifsc}`]),
  ];
  return (
    <Alert
      tone="warn"
      title={`${countText(rows.length, 'owner')} ${rows.length === 1 ? 'has' : 'have'} different details today than when they were paid`}
    >
      The file uses the details of the payment. Today {name} has: {parts.join(', ')}
      {rows.length > 1 && `; and ${rows.length - 1} more`}.
    </Alert>
  );
}

interface ImportedAlertProps {
  rows: readonly CheckedLine[];
  wasNotSent: boolean;
  onChange: (wasNotSent: boolean) => void;
}

/** Says that payments were imported as paid. Their lines can be sent only if the user says that they were not sent before. */
export function ImportedAlert({ rows, wasNotSent, onChange }: ImportedAlertProps) {
  const imported = rows.filter(({ isImported }) => isImported);
  const numbers = new Set(imported.map(({ paymentNumber }) => paymentNumber));
  const [first] = numbers;
  if (first === undefined) return null;
  const isOne = numbers.size === 1;
  return (
    <Alert
      tone="warn"
      title={isOne ? `${first} was imported as paid` : `${formatCount(numbers.size)} payments were imported as paid`}
    >
      <p>{countText(imported.length, 'line')} left out: the money was transferred before the import.</p>
      <Checkbox
        className="mt-2"
        label={`${isOne ? 'It was' : 'They were'} not sent before: send the lines`}
        checked={wasNotSent}
        onCheckedChange={onChange}
      />
    </Alert>
  );
}

const namedFailures = 3;

/** Names the owners to whose account the last transfer failed. A line of theirs is sent only if the user ticks it. */
export function FailedTransfersAlert({ rows }: { rows: readonly CheckedLine[] }) {
  const failed = rows.flatMap(({ name, failedTransfer }) => (failedTransfer ? [{ name, failedTransfer }] : []));
  if (failed.length === 0) return null;
  const names = failed.slice(0, namedFailures).map((one) => `${one.name} (${failureText(one.failedTransfer)})`);
  const more = failed.length - names.length;
  return (
    <Alert
      tone="warn"
      title={`The last transfer to ${failed.length === 1 ? 'an account' : `${formatCount(failed.length)} accounts`} failed`}
    >
      {names.join(', ')}
      {more > 0 && `, and ${formatCount(more)} more`}. It goes into the file only if you tick the line, which sends it
      again to the same account.
    </Alert>
  );
}

/** Only this many characters are drawn. The file itself is complete. */
const maxCharacters = 60_000;

export function FilePreview({ name, text, problem }: { name: string; text: string; problem: string | undefined }) {
  return (
    <section aria-label="Preview of the file" className="flex max-h-[24vh] min-h-24 flex-col">
      <h3 className="mb-1 text-xs text-muted">
        <b className="font-mono">{name}</b> · {formatCount(text.length)} bytes, exactly as the file will be
      </h3>
      {problem !== undefined && <Alert tone="warn" className="mb-1" title={problem} />}
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by key
        tabIndex={0}
        aria-label="Contents of the file"
        className="min-h-0 flex-1 overflow-auto rounded border border-line bg-surface p-2 font-mono text-xs whitespace-pre"
      >
        {text.slice(0, maxCharacters)}
        {text.length > maxCharacters && '…'}
      </pre>
    </section>
  );
}
