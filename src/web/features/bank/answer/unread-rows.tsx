import type { OtherRow } from '../../../../shared/bank-answers/account-statement.ts';

const mostShown = 200;

/** Names the rows of a file that cannot be read, each with the reason and its text. */
export const UnreadRows = ({ rows }: { rows: readonly OtherRow[] }) => (
  <ul className="max-h-32 overflow-y-auto">
    {rows.slice(0, mostShown).map(({ row, text, reason }) => (
      <li key={row}>
        Row {row}: {reason} <span className="text-muted">{text}</span>
      </li>
    ))}
  </ul>
);
