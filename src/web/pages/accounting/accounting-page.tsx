import { useCallback, useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { FileText, ScrollText, Share2 } from 'lucide-react';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { accountingOwnerColumns } from '../../../shared/columns/record-columns.ts';
import { ownerFields, type OwnerWithTrucks } from '../../../shared/contract/owners.ts';
import { buttonOf, useActions, type Action } from '../../actions/registry.ts';
import { factsOf } from '../../records/facts.tsx';
import { ownersFailed, ownerSearchHint, ownerSorts, useOwner, useOwnerRows } from '../../records/owner-record.ts';
import { recordDetails } from '../../records/record-details.tsx';
import { recordScreen, type RecordViewProps } from '../../records/record-screen.tsx';
import { useSession } from '../../session/session.ts';
import { AuthenticationRequired } from '../../shell/authentication-required.tsx';
import { Button } from '../../ui/button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { isApiError } from '../../api/api-error.ts';
import { owners } from '../../api/owners.ts';
import { screens } from '../../screens.ts';
import { notify } from '../../feedback/toast.ts';

const title = 'Accounting Management';
const scope = 'Accounting';
const { name, contactNumber, address } = ownerFields;

/** The six of docs/specification.md §9.1. */
const Details = recordDetails<OwnerWithTrucks>({
  record: 'owner',
  title: () => 'Owner Details',
  useRecord: useOwner,
  failed: 'Failed to fetch owners',
  facts: (owner) => [
    {
      title: 'Basic Information',
      facts: [
        { label: 'Owner ID', value: owner.id },
        ...factsOf({ name, contactNumber, address }, owner),
        { label: 'Number of Trucks', value: owner.trucksCount.toLocaleString('en-IN') },
        { label: 'Created', value: formatDateTime(owner.createdAt) },
      ],
    },
  ],
});

function OwnerDetails(props: RecordViewProps<OwnerWithTrucks>) {
  return <Details {...props} renderFooter={(owner) => <Footer ownerId={owner.id} onClose={props.onClose} />} />;
}

function Footer({ ownerId, onClose }: { ownerId: string; onClose: () => void }) {
  const { fetchChallans, goingTo } = useFetchChallans();
  const go: Action = {
    id: 'accounting-owner.challans',
    label: 'Fetch Challans',
    keys: 'C',
    scope: 'Details',
    run: () => void fetchChallans(ownerId),
  };
  useActions([go]);
  return (
    <>
      <Button onClick={onClose}>Close</Button>
      <Button variant="primary" busy={goingTo !== ''} icon={<FileText size={14} aria-hidden />} {...buttonOf(go)}>
        {go.label}
      </Button>
    </>
  );
}

const Accounting = recordScreen<OwnerWithTrucks>({
  screen: 'accounting',
  title,
  noun: ['owner', 'owners'],
  columns: accountingOwnerColumns,
  sorts: ownerSorts,
  search: {
    hint: ownerSearchHint,
    // docs/specification.md §9.1
    resultText: (count, term) =>
      count === 0
        ? `No owners found matching "${term}"`
        : `Found ${count.toLocaleString('en-IN')} owner(s) matching "${term}"`,
  },
  useRows: useOwnerRows,
  failed: ownersFailed,
  empty: {
    text: 'Owners are added under Owners; what each is owed for its challans is then found here.',
    actions: <Link to="/owners">Go to Owners</Link>,
  },
  viewLabel: 'View details',
  views: { view: OwnerDetails },
  useMore: () => {
    const navigate = useNavigate();
    const { fetchChallans, goingTo } = useFetchChallans();
    const rowCommands = useMemo(
      () => [
        {
          id: 'challans',
          label: 'Fetch Challans',
          icon: <FileText size={14} aria-hidden />,
          keys: 'C',
          showLabel: true,
          run: ({ id }: OwnerWithTrucks) => void fetchChallans(id),
        },
        {
          id: 'statement',
          label: 'Statement',
          icon: <ScrollText size={14} aria-hidden />,
          keys: 'S',
          run: ({ id }: OwnerWithTrucks) => void navigate(`/accounting/owner/${id}/statement`),
        },
      ],
      [fetchChallans, navigate],
    );
    const sharedReports: Action = {
      id: 'accounting.shared-reports',
      label: 'Shared Reports',
      scope,
      words: 'whatsapp links revoke',
      run: () => void navigate('/accounting/shared-reports'),
    };
    return {
      rowCommands,
      actions: [sharedReports],
      isMuted: useCallback(({ id }: OwnerWithTrucks) => id === goingTo, [goingTo]),
      buttons: (
        <Button icon={<Share2 size={14} aria-hidden />} {...buttonOf(sharedReports)}>
          {sharedReports.label}
        </Button>
      ),
    };
  },
});

/** /accounting (docs/specification.md §9.1). */
export function AccountingPage() {
  if (!useSession()) {
    return <AuthenticationRequired title={title} text="Please log in to access accounting management." />;
  }
  return <Accounting />;
}

/**
 * 'Fetch Challans': the owner is asked for and the screen loaded before going there. An owner that is gone, a server
 * that does not answer and a screen that does not load are shown here, where another owner can be chosen
 * (docs/specification.md §9.1).
 */
function useFetchChallans() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const isUnderWay = useRef(false);
  const [goingTo, setGoingTo] = useState('');

  const fetchChallans = useCallback(
    async (ownerId: string): Promise<void> => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      setGoingTo(ownerId);
      try {
        await Promise.all([
          screens.ownerChallans.load(),
          client.fetchQuery({ ...owners.getOptions({ params: { id: ownerId } }), staleTime: 0, retry: false }),
        ]);
        await navigate(`/accounting/owner/${ownerId}/challans`);
      } catch (error) {
        // Whatever it was, one sentence (docs/specification.md §15.3); an ended session is handled elsewhere.
        if (!isApiError(error, 'UNAUTHORIZED')) notify.error('Failed to navigate to owner challans');
        if (isApiError(error, 'NOT_FOUND')) await client.invalidateQueries({ queryKey: ['owners'] });
      } finally {
        isUnderWay.current = false;
        setGoingTo('');
      }
    },
    [client, navigate],
  );
  return { fetchChallans, goingTo };
}
