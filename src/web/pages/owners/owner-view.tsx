import { useRef } from 'react';
import { Truck } from 'lucide-react';
import { canViewTrucks, reasonOf } from '../../../shared/access.ts';
import type { OwnerListItem } from '../../../shared/contract/owners.ts';
import { RecordView } from '../../filters/record-view.tsx';
import { Facts } from '../../shell/facts.tsx';
import { Button } from '../../ui/button.tsx';
import { ownerFacts } from './owner-facts.ts';
import { useOwner, type OwnerDialogProps } from '../../filters/owner-record.ts';

interface OwnerViewProps extends OwnerDialogProps {
  onEdit: (item: OwnerListItem) => void;
  onRemove: (item: OwnerListItem) => void;
  onTrucks: (item: OwnerListItem) => void;
}

/** Mode 'view': everything of an owner (part 1 §2). */
export function OwnerView({ id, row, placeFocus, onClose, onEdit, onRemove, onTrucks }: OwnerViewProps) {
  const { query, item } = useOwner(id, row);
  const first = useRef<HTMLDivElement>(null);
  return (
    <RecordView
      title={item?.owner.name ?? 'Owner'}
      noun="owner"
      history={{ noun: 'owner', id }}
      size="lg"
      query={query}
      failed="Failed to fetch owners"
      first={first}
      placeFocus={placeFocus}
      onClose={onClose}
      onEdit={() => item && onEdit(item)}
      onRemove={() => item && onRemove(item)}
      buttons={
        item && (
          <Button
            icon={<Truck size={14} aria-hidden />}
            disabledReason={reasonOf(canViewTrucks(item))}
            onClick={() => onTrucks(item)}
          >
            View trucks
          </Button>
        )
      }
    >
      {item && <Facts ref={first} label="Owner" columns={2} groups={ownerFacts(item.owner, item.trucksCount)} />}
    </RecordView>
  );
}
