import { countText, formatCount } from '../../../../shared/calc/count-text.ts';
import { formatINR } from '../../../../shared/calc/money.ts';
import { failureText } from '../../../../shared/bank/lines.ts';
import type { CheckedLine } from '../../../../shared/contract/bank-files.ts';
import { Alert } from '../../../kit/ui/alert.tsx';
import { Checkbox } from '../../../kit/ui/checkbox.tsx';

interface ChangedDetailsAlertProps {
  /** The lines as the payment froze them. */
  lines: readonly CheckedLine[];
  isCorrected: (line: CheckedLine) => boolean;
  onChange: (line: CheckedLine, isCorrected: boolean) => void;
}

/**
 * Names the lines whose owner has other bank details today than when the payment was made. The file uses those of the payment,
 * unless the user has read today's and ticks the line: then the money goes to today's account.
 */
export function ChangedDetailsAlert({ lines, isCorrected, onChange }: ChangedDetailsAlertProps) {
  const changed = lines.filter(({ today }) => today !== null);
  if (changed.length === 0) return null;
  return (
    <Alert
      tone="warn"
      title={`${countText(changed.length, 'owner')} ${changed.length === 1 ? 'has' : 'have'} different details today than when they were paid`}
    >
      <p>The file uses the details of the payment. Tick a line to send it with the details of today.</p>
      {/* So high that a row is cut where there are more. A long label is scrolled into view as a whole with its box. */}
      <div
        className="mt-2 flex max-h-27 flex-col gap-1 overflow-y-auto"
        onFocus={({ target }) => target.parentElement?.scrollIntoView({ block: 'nearest' })}
      >
        {changed.map((line) => (
          <Checkbox
            key={`${line.batchId} ${line.ownerId}`}
            label={detailsOfToday(line)}
            checked={isCorrected(line)}
            onCheckedChange={(on) => onChange(line, on)}
          />
        ))}
      </div>
    </Alert>
  );
}

/** 'Anil Jena, ₹1,000.00: account 60200000009 in place of 50100000001'. The account is first: names may be long. */
function detailsOfToday({ name, amount, today, ...paid }: CheckedLine): string {
  const change = (label: string, now = '', before = ''): string[] =>
    now === before ? [] : [`${label} ${now || 'none'} in place of ${before || 'none'}`];
  const changes = [
    ...change('account', today?.accountNo, paid.accountNo),
    ...change('IFSC', today?.ifsc, paid.ifsc),
    ...change('name', today?.name, name),
  ];
  return `${name}, ${formatINR(amount)}: ${changes.join(', ')}`;
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
