import type { ReactNode } from 'react';
import { countText, formatCount } from '../../../shared/calc/count-text.ts';
import type { CheckedLine } from '../../../shared/contract/bank-files.ts';
import { Alert } from '../../ui/alert.tsx';

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
