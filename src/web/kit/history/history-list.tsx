import { useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { History } from 'lucide-react';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import {
  historyCall,
  type HistoryChange,
  type HistoryEntry,
  type HistoryPeople,
  type HistoryRecord,
} from '../../../shared/contract/history.ts';
import type { activity, ActivityEntry } from '../../../shared/contract/activity.ts';
import { shownChange } from '../../../shared/columns/shown-change.ts';
import type { ResourceHooks } from '../api/create-resource.ts';
import { isApiError } from '../api/api-error.ts';
import { history } from '../api/history.ts';
import { QueryFailure } from '../feedback/failure-alert.tsx';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Select } from '../ui/select-field.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { ago } from './history-words.ts';

const pageSize = 20;

type Shown = HistoryEntry & Partial<Pick<ActivityEntry, 'record'>>;

/** A record, the account that is signed in, or what somebody did on a day: there each entry says what it was done to. */
export type HistoryOf =
  | { noun: HistoryRecord; id: string }
  | { noun: 'profile'; id?: undefined }
  | {
      noun: 'activity';
      id: string;
      optionsOf: (page: {
        page: number;
        limit: number;
      }) => ReturnType<ResourceHooks<typeof activity>['listEntriesOptions']>;
      about: (entry: Shown) => ReactNode;
    };

type Page = UseQueryResult<{ data: Shown[]; pagination: { totalCount: number }; people?: HistoryPeople }>;

interface HistoryListProps {
  of: HistoryOf;
  /** What stands above the entries of a record that is gone, and in place of none. */
  lead?: (isEmpty: boolean) => ReactNode;
}

/** Who changed a record, when and on which screen, newest first. It loads when it is first shown. */
export function HistoryList(props: HistoryListProps) {
  // The key resets the list for another record, so that it never shows the entries of the previous one.
  return <Entries key={props.of.id} {...props} />;
}

function optionsOf(of: HistoryOf, page: number, personId: string) {
  const query = { page, limit: pageSize };
  if (of.noun === 'activity') return of.optionsOf(query);
  return of.noun === 'profile'
    ? history.listProfileOptions({ query })
    : history[`${historyCall(of.noun)}Options`]({
        params: { id: of.id },
        query: personId === '' ? query : { ...query, personId },
      });
}

function Entries({ of, lead }: HistoryListProps) {
  const [pageCount, setPageCount] = useState(1);
  const [personId, setPersonId] = useState('');
  const pages: Page[] = useQueries({
    queries: Array.from({ length: pageCount }, (_, index) => ({
      ...optionsOf(of, index + 1, personId),
      // Always refetch, because other people's changes are in the history too.
      staleTime: 0,
    })),
  });
  const list = useRef<HTMLOListElement>(null);
  const entries = distinct(pages.flatMap((page) => page.data?.data ?? []));
  const [first] = pages;
  const people = useLast(first?.data?.people) ?? [];
  const total = first?.data?.pagination.totalCount ?? 0;
  // That a record never was is what stands above its entries.
  const failed = pages.find(({ error }) => error && !(lead && isApiError(error, 'NOT_FOUND')));
  const isLoading = pages.some((page) => page.isPending && page.isFetching);
  // Kept while the entries of one person are loaded.
  const isEmpty = useLast(first && !first.isPending ? entries.length === 0 : undefined);
  const focusOlderWhenLoaded = useFocusOlder(list, entries.length);

  return (
    <section aria-label="History" aria-busy={isLoading || undefined} className="min-h-40">
      {isEmpty !== undefined && lead?.(isEmpty)}
      {failed && (
        <QueryFailure className="mb-4" query={failed} fallback="Failed to fetch history">
          {failed.data && 'The entries shown were loaded earlier; there may be newer ones.'}
        </QueryFailure>
      )}
      {people.length > 1 && (
        <Select
          label="By"
          reserve={false}
          className="mb-3 max-w-56"
          value={personId}
          options={[{ value: '', label: 'Everybody' }, ...people.map(({ id, name }) => ({ value: id, label: name }))]}
          onValueChange={(id) => {
            setPersonId(id);
            setPageCount(1);
          }}
        />
      )}
      {first?.isPending && first.isFetching && (
        <div className="grid min-h-40 place-items-center">
          <Spinner label="Loading history" />
        </div>
      )}
      {first?.data && entries.length === 0 && !lead && (
        <EmptyState icon={<History size={18} aria-hidden />} title="No changes recorded yet" />
      )}
      {first && entries.length > 0 && (
        <ol ref={list} className="grid">
          {entries.map((entry) => (
            <Entry
              key={entry.id}
              entry={entry}
              now={first.dataUpdatedAt}
              about={of.noun === 'activity' && of.about(entry)}
            />
          ))}
        </ol>
      )}
      {entries.length > 0 && entries.length < total && (
        <div className="flex items-center gap-3 pt-1">
          <Button
            size="sm"
            busy={isLoading}
            onClick={() => {
              focusOlderWhenLoaded();
              setPageCount(pageCount + 1);
            }}
          >
            Show older
          </Button>
          <span role="status" className="nums text-xs text-muted">
            {entries.length} of {formatCount(total)} shown
          </span>
        </div>
      )}
    </section>
  );
}

/** The value, or while there is none the one before: the filter stays in place while its answer loads. */
function useLast<T>(value: T | undefined): T | undefined {
  const [last, setLast] = useState(value);
  if (value !== undefined && value !== last) setLast(value);
  return value ?? last;
}

/** Removes duplicates: a new entry moves others to the next page, where they would be listed again. */
const distinct = (entries: readonly Shown[]): Shown[] => [
  ...new Map(entries.map((entry) => [entry.id, entry])).values(),
];

/**
 * Focuses the first older entry once it is loaded, because the "Show older" button disappears after the last page. If the user
 * has moved the focus meanwhile, it stays there.
 */
function useFocusOlder(list: { current: HTMLOListElement | null }, shown: number): () => void {
  const from = useRef<{ shown: number; at: Element | null }>(undefined);
  useLayoutEffect(() => {
    if (from.current === undefined || shown <= from.current.shown) return;
    const older = list.current?.children[from.current.shown];
    const now = document.activeElement;
    const hasMovedOn = now !== from.current.at && now !== document.body;
    from.current = undefined;
    if (older instanceof HTMLElement && !hasMovedOn) older.focus();
  }, [list, shown]);
  return () => {
    from.current = { shown, at: document.activeElement };
  };
}

function Entry({ entry, now, about }: { entry: HistoryEntry; now: number; about: ReactNode }) {
  const { action, actor, screen, at, reason, payment, changes } = entry;
  const when = formatDateTime(at);
  const passed = ago(at, now);
  return (
    <li
      tabIndex={-1}
      className="grid grid-cols-[9rem_minmax(0,1fr)] gap-x-4 border-b border-line py-2.5 outline-offset-2 first:pt-0 last:border-b-0"
    >
      <div className="text-muted">
        <time dateTime={at} title={when} className="nums block">
          {passed || when}
        </time>
        {passed && <span className="nums block text-xs">{when}</span>}
      </div>
      <div className="grid content-start gap-1">
        <p>
          <span className="font-semibold">{action}</span>
          {about}
          <span className="text-muted"> by </span>
          <span className="break-all">{actor}</span>
          {screen && <span className="text-muted"> on {screen}</span>}
        </p>
        {(changes.length > 0 || payment || reason) && (
          <dl className="grid grid-cols-[10rem_minmax(0,1fr)] gap-x-3 gap-y-0.5">
            {changes.map((change) => (
              <Change key={change.field} change={change} />
            ))}
            {payment && (
              <Row label="Payment">
                <Link to={`/accounting/payments?open=${payment.id}`} className="underline">
                  {payment.number}
                </Link>
                , {formatINR(payment.amount)}
              </Row>
            )}
            {reason && <Row label="Reason">{reason}</Row>}
          </dl>
        )}
      </div>
    </li>
  );
}

function Change({ change }: { change: HistoryChange }) {
  const { before, after } = shownChange(change);
  return (
    <Row label={change.label}>
      <span className="text-muted">{before}</span> → <span>{after}</span>
    </Row>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="contents">
      <dt className="text-muted">{label}</dt>
      <dd className="nums break-words whitespace-pre-wrap">{children}</dd>
    </div>
  );
}
