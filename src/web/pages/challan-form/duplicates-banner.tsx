import type { Ref } from 'react';
import { formatDate } from '../../../shared/calc/dates.ts';
import type { ChallanReference } from '../../../shared/contract/challan.ts';
import type { Action } from '../../actions/registry.ts';
import { buttonOf } from '../../actions/registry.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import type { Found } from './use-duplicates.ts';

interface DuplicatesBannerProps {
  found: Found;
  saveAnyway: Action;
  onClose: () => void;
  ref: Ref<HTMLDivElement>;
}

/** Ruling 25. It stands in the bar, which grows upwards: the fields stay where they are. */
export function DuplicatesBanner({ found, saveAnyway, onClose, ref }: DuplicatesBannerProps) {
  const isTp = found.sameTp.length > 0;
  return (
    <Alert
      ref={ref}
      tone="warn"
      className="mb-2"
      title={isTp ? 'This TP No is already on another challan' : 'This vehicle has a challan of the same loading day'}
      onClose={onClose}
      actions={
        found.stopsSaving && (
          <Button size="sm" {...buttonOf(saveAnyway)}>
            {saveAnyway.label}
          </Button>
        )
      }
    >
      {isTp && <References label="Same TP No" references={found.sameTp} />}
      {found.sameTrip.length > 0 && <References label="Same vehicle and loading day" references={found.sameTrip} />}
    </Alert>
  );
}

const shownCount = 5;

function References({ label, references }: { label: string; references: readonly ChallanReference[] }) {
  return (
    <p>
      {label}:{' '}
      {references.slice(0, shownCount).map((reference, index) => (
        <span key={reference.id}>
          {index > 0 && ', '}
          {/* A tab of its own: what is typed here stays. */}
          <a
            href={`/challans/edit/${reference.id}`}
            target="_blank"
            rel="noopener"
            className="font-medium underline underline-offset-2"
          >
            {reference.challanNumber}
          </a>{' '}
          (TP {reference.tpNo}, {reference.vehicleNo}, {formatDate(reference.loadingDate)})
        </span>
      ))}
      {references.length > shownCount && ` and ${references.length - shownCount} more`}
    </p>
  );
}
