import { lazy, useCallback, useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { BookOpenCheck, FileText, Lock, ScrollText, Share2 } from 'lucide-react';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import {
  accountPaymentColumns,
  ownerAccountColumns,
  ownerAccountColumnsOn,
} from '../../../shared/columns/owner-account-columns.ts';
import { ownerAccountSortKeys, type OwnerAccount, type OwnerPayment } from '../../../shared/contract/accounting.ts';
import { ownerFields, type OwnerWithTrucks } from '../../../shared/contract/owners.ts';
import { url, useUrlState } from '../../kit/filters/url-state.ts';
import { DayField } from '../../kit/forms/day-field.tsx';
import { LazyDialog } from '../../kit/actions/lazy-dialog.tsx';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { useActions, type Action } from '../../kit/actions/registry.ts';
import { factsOf } from '../../kit/records/facts.tsx';
import { ownersFailed, ownerSearchHint, useOwner } from '../owners/index.ts';
import { orderOf } from '../../kit/records/record-place.ts';
import { recordDetails } from '../../kit/records/record-details.tsx';
import { recordScreen, type RecordViewProps } from '../../kit/records/record-screen.tsx';
import { paymentsCommand, useOwnerPayments } from '../payments/index.ts';
import { refusalOf } from '../../kit/api/seat.ts';
import { useSession } from '../../kit/api/use-session.ts';
import { AuthenticationRequired } from '../../kit/ui/authentication-required.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { isApiError } from '../../kit/api/api-error.ts';
import { accounting } from '../../resources/accounting.ts';
import { monthPacks } from '../../resources/month-packs.ts';
import { pagesOf } from '../../kit/api/create-resource.ts';
import { owners } from '../../resources/owners.ts';
import { screens } from '../../screens.ts';
import type { GridTree } from '../../kit/grid/grid-types.ts';
import { groupCells, treeColumns } from '../../kit/grid/tree-columns.tsx';
import { notify } from '../../kit/feedback/toast.ts';

const PeriodLockDialog = lazy(() => import('./period-lock-dialog.tsx'));

const title = 'Accounting Management';
const scope = 'Accounting';
const { name, contactNumber, address } = ownerFields;

/** The rows of a flat list: each owner, followed by its newest payments if it is expanded. */
type Row =
  | { kind: 'owner'; id: string; owner: OwnerAccount }
  | { kind: 'payment'; id: string; owner: OwnerAccount; payment: OwnerPayment };

const toRow = (owner: OwnerAccount): Row => ({ kind: 'owner', id: owner.id, owner });

const treeParts = {
  groups: ownerAccountColumns,
  members: accountPaymentColumns,
  groupOf: ({ owner }: Row): OwnerAccount => owner,
  memberOf: (row: Row): OwnerPayment | undefined => (row.kind === 'payment' ? row.payment : undefined),
};
const columns = treeColumns(treeParts);
const partsOn = (asOn: string) => (asOn === '' ? treeParts : { ...treeParts, groups: ownerAccountColumnsOn(asOn) });

/** The day of the balances; '': there are none. */
const urlShape = { asOn: url.day() };
const isUndone = (row: Row): boolean => row.kind === 'payment' && row.payment.paidCount === 0;

type OwnerFacts = Pick<OwnerWithTrucks, 'id' | 'name' | 'contactNumber' | 'address' | 'trucksCount' | 'createdAt'>;

/** The six facts of docs/specification.md §9.1. */
const Details = recordDetails<OwnerFacts>({
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
        { label: 'Number of Trucks', value: formatCount(owner.trucksCount) },
        { label: 'Created', value: formatDateTime(owner.createdAt) },
      ],
    },
  ],
});

function OwnerDetails({ id, row, isNotOnPage, open, placeFocus, onClose }: RecordViewProps<Row>) {
  return (
    <Details
      id={id}
      row={row?.owner}
      isNotOnPage={isNotOnPage}
      open={open}
      placeFocus={placeFocus}
      onClose={onClose}
      onEdit={doNothing}
      onRemove={doNothing}
      renderFooter={(owner) => <Footer ownerId={owner.id} onClose={onClose} />}
    />
  );
}
// This screen does not edit or delete owners.
const doNothing = (): void => undefined;

function Footer({ ownerId, onClose }: { ownerId: string; onClose: () => void }) {
  const { fetchChallans, loadingOwnerId } = useFetchChallans();
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
      <ActionButton action={go} variant="primary" busy={loadingOwnerId !== ''} icon={FileText} />
    </>
  );
}

const Accounting = recordScreen<Row>({
  screen: 'accounting',
  title,
  noun: ['owner', 'owners'],
  columns,
  sorts: { keys: ownerAccountSortKeys, by: 'name' },
  search: {
    hint: ownerSearchHint,
    // docs/specification.md §9.1
    resultText: (count, term) =>
      count === 0 ? `No owners found matching "${term}"` : `Found ${formatCount(count)} owner(s) matching "${term}"`,
  },
  useRows: (ask) => {
    const { page, limit, search } = ask;
    const [{ asOn }] = useUrlState(urlShape);
    const query = accounting.useListOwners({
      query: {
        page,
        limit,
        ...(search === '' ? {} : { search }),
        ...(asOn !== '' && { asOn }),
        ...orderOf(ownerAccountSortKeys, 'name', ask),
      },
    });
    const items = query.data?.data;
    const rows = useMemo(() => items?.map(toRow), [items]);
    return {
      query,
      rows,
      pagination: query.data?.pagination,
      loadPage: pagesOf(query, ({ data }) => data.map(toRow)),
      totals: query.data && { ...query.data.summary },
    };
  },
  failed: ownersFailed,
  empty: {
    text: 'Add owners under Owners. What each owner is owed for its challans is shown here.',
    actions: <Link to="/owners">Open Owners</Link>,
  },
  viewLabel: 'View details',
  views: { view: OwnerDetails },
  useMore: ({ grid, rows: ownerRows, open }) => {
    const navigate = useNavigate();
    const { fetchChallans, loadingOwnerId } = useFetchChallans();
    const [expanded, setExpanded] = useState<ReadonlySet<string>>(new Set());
    const [isLocking, setLocking] = useState(false);
    const [{ asOn }, setUrl] = useUrlState(urlShape);
    const parts = useMemo(() => partsOn(asOn), [asOn]);
    const dayField = useRef<HTMLInputElement>(null);
    const expand = useCallback(
      (records: readonly Row[]) =>
        records.flatMap((row): Row[] => [
          row,
          ...(expanded.has(row.id)
            ? row.owner.payments.map((payment): Row => ({
                ...row,
                kind: 'payment',
                id: `${row.id}:${payment.batchId}`,
                payment,
              }))
            : []),
        ]),
      [expanded],
    );
    const rows = useMemo(() => ownerRows && expand(ownerRows), [ownerRows, expand]);
    const tree = useMemo<GridTree<Row>>(() => {
      const isExpanded = ({ owner }: Row): boolean => expanded.has(owner.id);
      return {
        isGroup: ({ kind }) => kind === 'owner',
        opensGroups: true,
        isExpanded,
        onToggle: ({ owner }, isOpen) =>
          setExpanded((before) => {
            const next = new Set(before);
            if (isOpen) next.add(owner.id);
            else next.delete(owner.id);
            return next;
          }),
        onExpandAll: () => setExpanded(new Set(ownerRows?.map(({ id }) => id))),
        groupIdOf: (row) => (row.kind === 'payment' ? row.owner.id : undefined),
        ...groupCells(parts, {
          isExpanded,
          // Shows in the list why an owner is on hold.
          mark: ({ holdReason }) =>
            holdReason !== '' && (
              <span className="text-xs font-normal text-danger" title={`On hold: ${holdReason}`}>
                {' '}
                · On hold: {holdReason}
              </span>
            ),
        }),
      };
    }, [expanded, ownerRows, parts]);
    const payments = useOwnerPayments(grid, rows);
    const showPayments = payments.show;
    const show = useCallback(
      (row: Row) => {
        if (row.kind === 'owner') open(row.id);
        else showPayments(row.owner.id, row.id, row.payment.batchId);
      },
      [open, showPayments],
    );
    const rowCommands = useMemo(
      () => [
        {
          id: 'challans',
          label: 'Fetch Challans',
          icon: <FileText size={14} aria-hidden />,
          keys: 'C',
          showLabel: true,
          run: ({ owner }: Row) => void fetchChallans(owner.id),
        },
        {
          id: 'statement',
          label: 'Statement',
          icon: <ScrollText size={14} aria-hidden />,
          keys: 'S',
          run: ({ owner }: Row) => void navigate(`/accounting/owner/${owner.id}/statement`),
        },
        { ...paymentsCommand, run: ({ id, owner }: Row) => showPayments(owner.id, id) },
      ],
      [fetchChallans, navigate, showPayments],
    );
    const sharedReports: Action = {
      id: 'accounting.shared-reports',
      label: 'Shared Reports',
      scope,
      words: 'whatsapp links revoke',
      run: () => void navigate('/accounting/shared-reports'),
    };
    const balances: Action = {
      id: 'accounting.balances',
      label: 'Balances as on',
      keys: 'A',
      scope,
      words: 'day statement closing',
      run: () => dayField.current?.focus(),
    };
    const lockPeriod: Action = {
      id: 'accounting.lock-period',
      label: 'Lock Period',
      keys: 'L',
      scope,
      words: 'close month books day lift',
      run: () => setLocking(true),
    };
    const closeMonth: Action = {
      id: 'accounting.close-month',
      label: screens.closeMonth.name,
      scope,
      words: 'pack accountant lock',
      disabledReason: refusalOf(monthPacks.calls.list),
      run: () => void navigate(screens.closeMonth.path),
    };
    return {
      rows,
      expand,
      tree,
      columns: useMemo(() => (asOn === '' ? undefined : treeColumns(parts)), [asOn, parts]),
      besideSearch: (
        <DayField
          ref={dayField}
          label={balances.label}
          reserve={false}
          keepsOnEscape
          className="w-36"
          value={asOn}
          onValueChange={(day) => setUrl({ asOn: day })}
        />
      ),
      onOpen: show,
      rowCommands,
      dialogs: (
        <>
          {payments.dialog}
          {isLocking && (
            <LazyDialog>
              <PeriodLockDialog onClose={() => setLocking(false)} />
            </LazyDialog>
          )}
        </>
      ),
      actions: [sharedReports, balances, lockPeriod, closeMonth],
      isMuted: useCallback((row: Row) => row.owner.id === loadingOwnerId || isUndone(row), [loadingOwnerId]),
      buttons: (
        <>
          <ActionButton action={sharedReports} icon={Share2} />
          <ActionButton action={lockPeriod} icon={Lock} />
          <ActionButton action={closeMonth} icon={BookOpenCheck} />
        </>
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
 * 'Fetch Challans': loads the owner and the next screen before it navigates. If the owner is gone, the server does
 * not answer or the screen does not load, the error is shown here, where the user can choose another owner
 * (docs/specification.md §9.1).
 */
function useFetchChallans() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const isRunning = useRef(false);
  const [loadingOwnerId, setLoadingOwnerId] = useState('');

  const fetchChallans = useCallback(
    async (ownerId: string): Promise<void> => {
      if (isRunning.current) return;
      isRunning.current = true;
      setLoadingOwnerId(ownerId);
      try {
        await Promise.all([
          import('./owner-challans-page.tsx'),
          client.fetchQuery({ ...owners.getOptions({ params: { id: ownerId } }), staleTime: 0, retry: false }),
        ]);
        await navigate(`/accounting/owner/${ownerId}/challans`);
      } catch (error) {
        // All errors get one message (docs/specification.md §15.3). An ended session is handled elsewhere.
        if (!isApiError(error, 'UNAUTHORIZED')) notify.error('Failed to navigate to owner challans');
        if (isApiError(error, 'NOT_FOUND')) {
          await Promise.all(
            ['owners', 'accounting'].map((resource) => client.invalidateQueries({ queryKey: [resource] })),
          );
        }
      } finally {
        isRunning.current = false;
        setLoadingOwnerId('');
      }
    },
    [client, navigate],
  );
  return { fetchChallans, loadingOwnerId };
}
