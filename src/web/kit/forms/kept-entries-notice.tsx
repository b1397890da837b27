import { formatDateTime } from '../../../shared/calc/dates.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';

export interface KeptEntriesInfo {
  savedAt: string;
  /** The form has a password, which is never kept. */
  lacksPassword: boolean;
  /** Account numbers and PANs are not kept over a reload. */
  lacksNumbers: boolean;
}

/** In a form that has reopened by itself, says where its entries come from. */
export function KeptEntriesNotice({ kept, onDiscard }: { kept: KeptEntriesInfo | undefined; onDiscard: () => void }) {
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
