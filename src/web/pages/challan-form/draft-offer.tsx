import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { Draft } from '../../shell/account-storage.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import type { FormDraft } from './draft.ts';

interface DraftOfferProps {
  offer: Draft<FormDraft>;
  /** The challan's version now; another one than the draft's means that somebody saved it since. */
  version: number | undefined;
  onRestore: () => void;
  onDiscard: () => void;
}

/** Ruling 26: never put in by itself, offered with its time and a Discard. */
export function DraftOffer({ offer, version, onRestore, onDiscard }: DraftOfferProps) {
  const isOlder = version !== undefined && offer.value.version !== version;
  return (
    <Alert
      tone="info"
      title={`A draft from ${formatDateTime(new Date(offer.savedAt))} was not saved`}
      actions={
        <>
          <Button size="sm" variant="primary" onClick={onRestore}>
            Restore
          </Button>
          <Button size="sm" onClick={onDiscard}>
            Discard
          </Button>
        </>
      }
    >
      {isOlder && 'The challan has been changed since then. Check the fields after restoring.'}
    </Alert>
  );
}
