import { lazy, useEffect, useMemo, useRef, useCallback, useState } from 'react';
import { Link, Navigate, useNavigate, useParams } from 'react-router-dom';
import { ArrowLeft, Eye, FileText, Group, MessageCircle, ScrollText, Share2, UserX } from 'lucide-react';
import { challansText, formatCount } from '../../../shared/calc/count-text.ts';
import { compare, formatINR } from '../../../shared/calc/money.ts';
import { ownerChallanColumns } from '../../../shared/columns/challan-columns.ts';
import type { OwnerReportInput, OwnerSummary } from '../../../shared/contract/accounting.ts';
import type { ListedChallan } from '../../../shared/contract/challan.ts';
import type { AnswerOf } from '../../../shared/contract/define.ts';
import { accounting } from '../../resources/accounting.ts';
import { owners } from '../../resources/owners.ts';
import { ownerChallanFilters } from '../../../shared/filters/challan-filters.ts';
import { orNull } from '../../../shared/filters/define.ts';
import { filterOfTexts, setTexts, type FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { ownerChallansCommands } from './owner-challans-actions.ts';
import { useCommands } from '../../kit/actions/registry.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { errorText, isApiError, networkError } from '../../kit/api/api-error.ts';
import { call } from '../../kit/api/client.ts';
import {
  paymentCell,
  ChallanList,
  FiltersButton,
  groupsAddress,
  queryOf,
  type ListPlace,
  useChallanList,
} from '../challans/index.ts';
import { useTableFiles } from '../../kit/feedback/table-files.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import type { RowAction } from '../../kit/grid/grid-types.ts';
import { Page } from '../../kit/ui/page.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { StatCard } from '../../kit/ui/stat-card.tsx';
import { AuthenticationRequired } from '../../kit/ui/authentication-required.tsx';
import { useSession } from '../../kit/api/use-session.ts';
import { isWhatsappUrl, openWhatsappTab, showWhatsapp } from '../../kit/feedback/whatsapp-tab.ts';

/** A UUID of the versions 1 to 5 (docs/specification.md §9.2). */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Returns why the screen cannot be shown for this address (docs/specification.md §15.5). */
function ownerIdProblem(ownerId: string): string | undefined {
  if (ownerId.trim() === '') return 'Owner ID is required';
  return uuid.test(ownerId) ? undefined : 'Invalid owner ID format';
}

/** /accounting/owner/{ownerId}/challans (docs/specification.md §9.2). */
export function OwnerChallansPage() {
  const session = useSession();
  const { ownerId = '', '*': rest = '' } = useParams();
  if (!session) {
    return <AuthenticationRequired title="Owner Challans" text="Please log in to access accounting management." />;
  }
  // A path that is neither the address of an owner's challans nor that address without the id is unknown, and
  // redirects like any other unknown path (docs/specification.md §2.1).
  if (!/^\/*(challans)?\/*$/.test(rest)) return <Navigate to="/login" replace />;
  const problem = ownerIdProblem(ownerId);
  if (problem) return <RedirectWithError problem={problem} />;
  // The key resets all state when the owner changes.
  return <OwnerChallans key={ownerId} ownerId={ownerId} />;
}

function RedirectWithError({ problem }: { problem: string }) {
  const isShown = useRef(false);
  useEffect(() => {
    if (isShown.current) return;
    isShown.current = true;
    notify.error(problem);
  }, [problem]);
  return <Navigate to="/accounting" replace />;
}

const loadDetails = () => import('./owner-challans-details.tsx');
const DetailsDialog = lazy(loadDetails);

type Place = ListPlace<typeof ownerChallanFilters>;

/** Shown if there are no challans or no summary (docs/specification.md §15.5). */
const noDataText = 'No data available for CSV generation';

/**
 * True if the owner was deleted or belongs to another account, or if the id cannot be one of this product, whose ids
 * are of version 4.
 */
const isUnknownOwner = (error: unknown): boolean =>
  isApiError(error, 'NOT_FOUND') || (isApiError(error, 'VALIDATION_ERROR') && 'ownerId' in error.fields);

/** docs/specification.md §13.4 */
const fileMessages = {
  xlsx: {
    done: 'Excel download initiated successfully',
    failed: 'Failed to download Excel',
    notSaved: 'Failed to download Excel file',
    cancelled: 'Excel download cancelled',
  },
  csv: {
    done: 'CSV download initiated successfully',
    failed: 'Failed to download CSV',
    notSaved: 'Failed to download CSV file',
    cancelled: 'CSV download cancelled',
  },
};
const fileCalls = { xlsx: accounting.calls.exportXlsx, csv: accounting.calls.exportCsv };

const makeListSpec = (ownerId: string) => ({
  id: 'owner-challans',
  ownerId,
  label: 'Owner challans',
  filters: ownerChallanFilters,
  columns: ownerChallanColumns,
  query: (place: Place) =>
    accounting.listOwnerChallansOptions({ query: { ownerId, ...queryOf(ownerChallanFilters, place) } }),
  hasNext: ({ pagination }: AnswerOf<typeof accounting.calls.listOwnerChallans>) => pagination.hasNext,
  sumsOf: ({ meta }: AnswerOf<typeof accounting.calls.listOwnerChallans>) => meta.summary,
  amountOf: ({ totalPayableAmount }: OwnerSummary) => totalPayableAmount,
  selectionFilter: (filters: FilterTexts<typeof ownerChallanFilters>) => ({
    ownerId,
    ...filterOfTexts(ownerChallanFilters, filters),
  }),
  // An unknown owner is shown in place of the list, so it needs no toast.
  reportError: (error: unknown, fallback: string): void => {
    if (!isUnknownOwner(error)) notify.error(errorText(error, fallback));
  },
});

/**
 * The challans of one owner (docs/specification.md §9.2). They can be downloaded as a file and sent to the owner as a
 * report.
 */
function OwnerChallans({ ownerId }: { ownerId: string }) {
  const navigate = useNavigate();
  const list = useChallanList(useMemo(() => makeListSpec(ownerId), [ownerId]));
  const { place, sums, details, openId, dates, rows } = list;
  const owner = owners.useGet({ params: { id: ownerId } }, { retry: false });
  const { share, isSending } = useShareOnWhatsapp();
  const summary = dates.problem ? undefined : sums;

  /** Download and report cover the same challans as the figures on the screen. */
  const refusal = !sums || sums.totalCount === 0 ? noDataText : undefined;
  // Every matching challan with the columns that the table shows (docs/specification.md §9.3).
  const files = useTableFiles({
    scope: 'Owner challans',
    id: 'owner-challans',
    get: (format, options) =>
      call(fileCalls[format], { body: { ...makeReportInput(ownerId, place), columns: list.shownFields() } }, options),
    total: sums?.totalCount,
    fallbackName: 'owner_challans_report',
    messages: fileMessages,
    disabledReason: dates.disabledReason,
    // The commands stay enabled while nothing matches: pressing one says so (docs/specification.md §15.5).
    refusal,
  });
  const actions = useCommands(ownerChallansCommands, {
    filters: { label: list.areFiltersShown ? 'Hide Filters' : 'Show Filters', run: list.toggleFilters },
    toFilters: list.focusFilters,
    reset: list.resetFilters,
    sendToWhatsapp: {
      disabledReason: dates.disabledReason ?? (isSending ? 'The report is still being prepared' : undefined),
      run: () => {
        if (refusal !== undefined) notify.error(refusal);
        else void share(makeReportInput(ownerId, place));
      },
    },
    sharedReports: () => void navigate('/accounting/shared-reports'),
    statement: () => void navigate(`/accounting/owner/${ownerId}/statement`),
    group: () => void navigate(groupsAddress('month', { ...setTexts(ownerChallanFilters, place.filters), ownerId })),
    back: () => void navigate('/accounting'),
    change: { disabledReason: list.changeReason, run: list.changeSelected },
    selectRows: () => list.selection.selection.onSelectAll?.(),
  });
  const { open } = details;
  const rowActions = useMemo<RowAction<ListedChallan>[]>(
    () => [{ id: 'view', label: 'View', icon: <Eye size={15} aria-hidden />, keys: 'Enter', run: open }],
    [open],
  );

  if (isUnknownOwner(list.error)) return <UnknownOwner />;
  return (
    <ChallanList
      list={list}
      cells={cells}
      title={<OwnerHeading name={owner.data?.data.name ?? rows?.[0]?.owner.name} />}
      aside={
        <>
          {summary && <CountTag count={summary.totalCount} />}
          {files.status}
        </>
      }
      buttons={
        <>
          <ActionButton action={actions.sharedReports} variant="ghost" icon={Share2} />
          <ActionButton action={actions.statement} variant="ghost" icon={ScrollText} />
          <FiltersButton list={list} action={actions.filters} />
          <ActionButton action={actions.group} icon={Group} />
          {files.buttons}
          <ActionButton action={actions.sendToWhatsapp} variant="primary" icon={MessageCircle} busy={isSending} />
          <ActionButton action={actions.back} icon={ArrowLeft} />
        </>
      }
      cards={
        <SummaryCards summary={summary} isFailed={dates.problem !== undefined || list.status.error !== undefined} />
      }
      whenEmpty={
        <EmptyState
          icon={<FileText size={18} aria-hidden />}
          title="This owner has no challans yet"
          actions={<Link to="/accounting">Back to Accounting</Link>}
        >
          Challans of this owner appear here.
        </EmptyState>
      }
      rowActions={rowActions}
      onNear={loadDetails}
    >
      {openId !== '' && (
        <DetailsDialog id={openId} details={details} placeFocus={() => list.grid.current?.focusRow(openId) ?? false} />
      )}
    </ChallanList>
  );
}

const cells = { payment: paymentCell() };

/** The body of both reports. In the body null means "no filter" (docs/specification.md §14.12). */
function makeReportInput(ownerId: string, { sortBy, sortOrder, filters }: Place): OwnerReportInput {
  const { depositedStartDate, depositedEndDate, ...others } = orNull(
    ownerChallanFilters,
    filterOfTexts(ownerChallanFilters, filters),
  );
  return {
    ownerId,
    filters: { ...others, startDate: depositedStartDate, endDate: depositedEndDate, sortBy, sortOrder },
    requestMetadata: { timestamp: new Date().toISOString(), userAgent: navigator.userAgent.slice(0, 1000) },
  };
}

/** The number of characters of the name that the heading shows (docs/specification.md §9.2). */
const maxNameLength = 12;

/**
 * Cuts the name and adds an ellipsis only if something was cut (docs/specification.md §9.2). It cuts between
 * graphemes, so that no Odia character is split.
 */
function cutName(name: string): string {
  const signs = [...new Intl.Segmenter('en-IN', { granularity: 'grapheme' }).segment(name)];
  if (signs.length <= maxNameLength) return name;
  return `${signs
    .slice(0, maxNameLength)
    .map(({ segment }) => segment)
    .join('')}...`;
}

function OwnerHeading({ name }: { name: string | undefined }) {
  return <span title={name}>Challan for {name === undefined ? '…' : cutName(name)}</span>;
}

/** The number of challans that match the filters. */
function CountTag({ count }: { count: number }) {
  return (
    <span className="nums rounded-full bg-primary-soft px-2.5 py-0.5 text-xs font-semibold text-primary">
      {challansText(count)}
    </span>
  );
}

interface SummaryCardsProps {
  summary: OwnerSummary | undefined;
  /** True if there are no figures and none are loading. */
  isFailed: boolean;
}

/** The sums cover the whole filter, not the page (docs/specification.md §9.2). */
function SummaryCards({ summary, isFailed }: SummaryCardsProps) {
  const missing = isFailed ? '—' : undefined;
  const amount = (value: string | undefined) => (value === undefined ? missing : formatINR(value));
  return (
    <section aria-label="Summary" className="flex flex-wrap gap-3">
      <StatCard label="Total Amount" value={amount(summary?.totalPayableAmount)} />
      <StatCard label="Paid Amount" value={amount(summary?.totalPaidAmount)} tone="good" />
      <StatCard
        label="Unpaid Amount"
        value={amount(summary?.totalUnpaidAmount)}
        tone={summary && compare(summary.totalUnpaidAmount, '0') !== 0 ? 'warn' : 'plain'}
      />
      <StatCard label="Total TDS" value={amount(summary?.totalTds)} />
    </section>
  );
}

function UnknownOwner() {
  return (
    <Page title="Owner Challans">
      <EmptyState
        icon={<UserX size={18} aria-hidden />}
        title="Owner not found"
        actions={<Link to="/accounting">Back to Accounting</Link>}
      >
        The owner may have been deleted, or the link may belong to another account.
      </EmptyState>
    </Page>
  );
}

/** The default texts if the server gives no message (docs/specification.md §15.4). */
const failedText = 'Failed to generate CSV report';
const failedRetryText = 'Failed to generate CSV report. Please try again.';

/**
 * The message of a failure, in the order of docs/specification.md §15.4: the two error codes, the message of the
 * server, the default. If no server answered, the text asks to try again, since that may help.
 */
function shareFailure(error: unknown): string {
  if (!isApiError(error)) return failedRetryText;
  if (error.code === 'NO_DATA_FOUND') return 'No challans found for the specified criteria';
  if (error.code === 'INVALID_REQUEST') return error.text ?? 'Invalid request data';
  if (error.status === 0 || error.text === networkError) return failedRetryText;
  return error.text ?? failedText;
}

/**
 * Sends the report on WhatsApp (docs/specification.md §9.4). The address from the server contains the owner's number
 * and the message.
 */
function useShareOnWhatsapp() {
  const { mutateAsync } = accounting.useShareOnWhatsapp();
  const isRunning = useRef(false);
  const [isSending, setSending] = useState(false);

  const share = useCallback(
    async (report: OwnerReportInput): Promise<void> => {
      if (isRunning.current) return;
      isRunning.current = true;
      const tab = openWhatsappTab('The report is being prepared…');
      setSending(true);
      try {
        const answer = accounting.calls.shareOnWhatsapp.answer.safeParse(await mutateAsync({ body: report }));
        if (!answer.success || !isWhatsappUrl(answer.data.data.whatsappUrl)) {
          tab?.close();
          notify.error(failedText);
          return;
        }
        const { whatsappUrl, ownerName, recordCount } = answer.data.data;
        const sent = `CSV report sent to ${ownerName} (${formatCount(recordCount)} challans)`;
        showWhatsapp(tab, whatsappUrl, { ready: 'The report is ready', sent });
      } catch (error) {
        tab?.close();
        showFailure(error);
      } finally {
        isRunning.current = false;
        setSending(false);
      }
    },
    [mutateAsync],
  );
  return { share, isSending };
}

function showFailure(error: unknown): void {
  // The session has ended, and the sign-in page says so.
  if (isApiError(error, 'UNAUTHORIZED')) return;
  if (isApiError(error, 'INVALID_REQUEST')) {
    // oxlint-disable-next-line no-console -- docs/specification.md §15.4 requires the log
    console.warn('The report was refused as an invalid request. Reset the filters and try again.');
  }
  notify.error(shareFailure(error));
}
