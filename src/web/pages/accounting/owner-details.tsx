import { useRef } from 'react';
import { FileText } from 'lucide-react';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { OwnerListItem } from '../../../shared/contract/owners.ts';
import { useAccountingOwnerActions } from '../../actions/accounting.ts';
import { buttonOf } from '../../actions/registry.ts';
import { useOwner, type OwnerDialogProps } from '../../filters/owner-record.ts';
import { RecordFrame } from '../../filters/record-view.tsx';
import { Facts, orNotProvided, type FactGroup } from '../../shell/facts.tsx';
import { Button } from '../../ui/button.tsx';

interface OwnerDetailsProps extends OwnerDialogProps {
  isGoing: boolean;
  onFetchChallans: () => void;
}

/** The six of part 2 §2.3. */
const factsOf = ({ owner, trucksCount }: OwnerListItem): FactGroup[] => [
  {
    title: 'Basic Information',
    facts: [
      { label: 'Owner ID', value: owner.id },
      { label: 'Owner Name', value: owner.name },
      { label: 'Contact Number', value: owner.contactNumber },
      { label: 'Address', value: orNotProvided(owner.address) },
      { label: 'Number of Trucks', value: trucksCount.toLocaleString('en-IN') },
      { label: 'Created', value: formatDateTime(owner.createdAt) },
    ],
  },
];

export function OwnerDetails({ id, row, placeFocus, onClose, isGoing, onFetchChallans }: OwnerDetailsProps) {
  const { query, item } = useOwner(id, row);
  const first = useRef<HTMLDivElement>(null);
  return (
    <RecordFrame
      title="Owner Details"
      noun="owner"
      history={{ noun: 'owner', id }}
      query={query}
      failed="Failed to fetch owners"
      first={first}
      placeFocus={placeFocus}
      onClose={onClose}
      footer={<Footer isGoing={isGoing} onFetchChallans={onFetchChallans} onClose={onClose} />}
    >
      {item && <Facts ref={first} label="Owner" groups={factsOf(item)} />}
    </RecordFrame>
  );
}

function Footer({
  isGoing,
  onFetchChallans,
  onClose,
}: Pick<OwnerDetailsProps, 'isGoing' | 'onFetchChallans' | 'onClose'>) {
  const actions = useAccountingOwnerActions(onFetchChallans);
  return (
    <>
      <Button onClick={onClose}>Close</Button>
      <Button
        variant="primary"
        busy={isGoing}
        icon={<FileText size={14} aria-hidden />}
        {...buttonOf(actions.fetchChallans)}
      >
        {actions.fetchChallans.label}
      </Button>
    </>
  );
}
