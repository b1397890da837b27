import type { ReactNode } from 'react';
import type { CheckedLine } from '../../../shared/contract/bank-files.ts';
import { Alert } from '../../ui/alert.tsx';
import { counted } from './payment-words.ts';

/** The payment's frozen copy goes out, not what the owner's record says today. */
export function Differing({ rows }: { rows: readonly CheckedLine[] }) {
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
      title={`${counted(rows.length, 'owner')} ${rows.length === 1 ? 'has' : 'have'} other details today than when they were paid`}
    >
      The file has those of the payment. {name} has today: {parts.join(', ')}
      {rows.length > 1 && `; and ${rows.length - 1} more`}.
    </Alert>
  );
}

/** More of a file than this is not drawn; the file itself has all of it. */
const shownCharacters = 60_000;

export function Preview({ name, text, problem }: { name: string; text: string; problem: string | undefined }) {
  return (
    <section aria-label="Preview of the file" className="flex max-h-[24vh] min-h-24 flex-col">
      <h3 className="mb-1 text-xs text-muted">
        <b className="font-mono">{name}</b> · {text.length.toLocaleString('en-IN')} bytes, exactly as the file will be
      </h3>
      {problem !== undefined && <Alert tone="warn" className="mb-1" title={problem} />}
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by key
        tabIndex={0}
        aria-label="Contents of the file"
        className="min-h-0 flex-1 overflow-auto rounded border border-line bg-surface p-2 font-mono text-xs whitespace-pre"
      >
        {text.slice(0, shownCharacters)}
        {text.length > shownCharacters && '…'}
      </pre>
    </section>
  );
}
