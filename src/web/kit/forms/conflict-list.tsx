import type { RefObject } from 'react';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';

interface ConflictListProps {
  /** What was changed elsewhere: 'This owner'. */
  noun: string;
  rows: readonly { field: string; label: string; mine: string; theirs: string; isMineKept: boolean }[];
  onTheirs: (field: string) => void;
  /** The caller focuses it when the list appears, so that screen readers announce it. */
  focus?: RefObject<HTMLDivElement | null>;
}

/** A version conflict, field by field, with mine and theirs. Nothing typed is lost (docs/specification.md §19.4). */
export function ConflictList({ noun, rows, onTheirs, focus }: ConflictListProps) {
  if (rows.length === 0) return null;
  return (
    <Alert
      tone="warn"
      {...(focus ? { ref: focus } : {})}
      title={`${noun} was changed by someone else while you were editing`}
    >
      <p>What you typed is kept. Check these fields, then save again.</p>
      <table className="mt-1.5 w-full border-collapse text-left">
        <thead className="text-xs text-muted">
          <tr>
            <th className="py-0.5 pr-4 font-medium">Field</th>
            <th className="py-0.5 pr-4 font-medium">Yours</th>
            <th className="py-0.5 pr-4 font-medium">Theirs</th>
            <th className="sr-only">Choice</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.field} className="border-t border-line align-top">
              <th scope="row" className="py-1 pr-4 font-medium">
                {row.label}
              </th>
              <td className="max-w-80 py-1 pr-4 break-words">{row.isMineKept ? row.mine || '—' : 'not changed'}</td>
              <td className="max-w-80 py-1 pr-4 break-words">{row.theirs || '—'}</td>
              <td className="py-0.5 text-right">
                {row.isMineKept ? (
                  <Button size="sm" aria-label={`Use theirs for ${row.label}`} onClick={() => onTheirs(row.field)}>
                    Use theirs
                  </Button>
                ) : (
                  <span className="text-xs text-muted">taken over</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Alert>
  );
}
