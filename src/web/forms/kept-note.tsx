import { formatDateTime } from '../../shared/calc/dates.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';

export interface Kept {
  savedAt: string;
  /** Some fields of this form are never kept. */
  lacksPassword: boolean;
  /** Account numbers and PANs are not kept over a reload. */
  lacksNumbers: boolean;
}

/** Says where the entries of a form come from that has opened by itself. */
export function KeptNote({ kept, onDiscard }: { kept: Kept | undefined; onDiscard: () => void }) {
  if (!kept) return null;
  return (
    <Alert
      tone="info"
      className="mb-3"
      title={`Your entries from ${formatDateTime(new Date(kept.savedAt))} were kept`}
      actions={
        <Button size="sm" onClick={onDiscard}>
          Discard
        </Button>
      }
    >
      They are not saved yet.{kept.lacksPassword && ' Passwords are not kept.'}
      {kept.lacksNumbers && ' Account numbers and PANs are not kept.'}
    </Alert>
  );
}
