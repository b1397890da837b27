import { useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { MessageCircle } from 'lucide-react';
import { formatDate } from '../../../shared/calc/dates.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import type { Action } from '../../kit/actions/registry.ts';
import { drafts, readPreference, writePreference } from '../../kit/api/account-storage.ts';
import { serverNow } from '../../kit/api/server-clock.ts';
import { QueryFailure } from '../../kit/feedback/failure-alert.tsx';
import { openWhatsappTab, showWhatsapp } from '../../kit/feedback/whatsapp-tab.ts';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { refusalOf } from '../../kit/api/seat.ts';
import { exceptions } from '../../resources/exceptions.ts';
import { today } from '../../resources/today.ts';
import { linesOf, textOfLines, weekdayOf, type Line } from './today-lines.ts';

/** Who comes back within this time still looks at the same news. */
const oneLookMs = 30 * 60_000;

/** The moment since which changes are news for this person on this device; undefined at the first look. */
function useLastLook(): string | undefined {
  const [since] = useState(() => {
    const now = serverNow();
    const lastAt = readPreference('today-looked', '');
    if (lastAt !== '' && now.getTime() - Date.parse(lastAt) > oneLookMs) writePreference('today-since', lastAt);
    writePreference('today-looked', now.toISOString());
    return readPreference('today-since', '');
  });
  return since === '' ? undefined : since;
}

/** Counting the exceptions takes the database long. An own write counts them again all the same. */
const exceptionsKeptMs = 10 * 60_000;

const mostLines = 8;
const lineHeight = 26;

export function useToday(name: string) {
  // As many lines as at the last look keep their place while these load, so that nothing below moves. 0: there was none.
  const [kept] = useState(() => readPreference('today-lines', 0));
  const since = useLastLook();
  const query = today.useGet({ query: { since } }, { placeholderData: <T,>(previous: T | undefined) => previous });
  // It takes long, so it does not hold up the other lines. Its place is kept, also where it then has nothing to say.
  const mayReadExceptions = refusalOf(exceptions.calls.getSummary) === undefined;
  const unusual = exceptions.useGetSummary(
    {},
    { enabled: mayReadExceptions && query.isSuccess, staleTime: exceptionsKeptMs, gcTime: exceptionsKeptMs },
  );
  const sums = unusual.data?.data;
  const shown = useMemo(
    () =>
      query.data && linesOf({ figures: query.data.data, day: query.data.day, drafts: drafts.keys(), exceptions: sums }),
    [query.data, sums],
  );
  const places = shown && Math.max(1, shown.length + (mayReadExceptions && !sums?.count ? 1 : 0));
  useEffect(() => {
    if (places !== undefined) writePreference('today-lines', places);
  }, [places]);
  const send = (): void => {
    if (query.data === undefined || shown === undefined) return;
    const text = encodeURIComponent(textOfLines(name, query.data.day, shown));
    showWhatsapp(openWhatsappTab('WhatsApp is opened…'), `https://wa.me/?text=${text}`, {
      ready: 'The text of today is ready',
      sent: 'WhatsApp has the text of today',
    });
  };
  const refetch = (): void => {
    void query.refetch();
    if (unusual.isFetched) void unusual.refetch();
  };
  return { query, unusual, shown, places, send, kept, refetch };
}

interface TodaySectionProps {
  today: Omit<ReturnType<typeof useToday>, 'send' | 'refetch'>;
  send: Action;
}

/** What the day asks for, line by line (docs/specification.md §34). */
export function TodaySection({ today: { query, unusual, shown, places = 0, kept }, send }: TodaySectionProps) {
  const day = query.data?.day;
  return (
    <section
      id="today"
      aria-labelledby="today-heading"
      className="rounded-lg border border-line bg-surface px-4 py-3 shadow-card"
    >
      <div className="flex min-h-8 items-center gap-3">
        <h2 id="today-heading" className="text-sm font-semibold">
          Today
        </h2>
        <p className="text-xs text-muted">{day && `${weekdayOf(day)}, ${formatDate(day)}`}</p>
        <ActionButton action={send} size="sm" className="ml-auto" icon={MessageCircle} />
      </div>
      <div
        style={{ minHeight: Math.max(kept, places) * lineHeight }}
        aria-busy={query.isPending || unusual.isLoading || undefined}
      >
        {shown === undefined ? (
          <QueryFailure
            query={query}
            fallback="Failed to fetch the lines of today"
            waiting={<Waiting lines={kept || mostLines} />}
          />
        ) : (
          <>
            {shown.length > 0 && (
              <ul>
                {shown.map((line) => (
                  <LineRow key={line.label} {...line} />
                ))}
              </ul>
            )}
            {unusual.isLoading && <Waiting lines={1} />}
            {unusual.data === undefined && <QueryFailure query={unusual} fallback="Failed to count the exceptions" />}
            {shown.length === 0 && !unusual.isLoading && !unusual.isError && (
              <p className="text-muted">Nothing is due, waits or is missing.</p>
            )}
          </>
        )}
      </div>
    </section>
  );
}

const Waiting = ({ lines }: { lines: number }) =>
  Array.from({ length: lines }, (_, index) => (
    <div key={index} style={{ height: lineHeight }} className="flex items-center">
      <Skeleton className="h-4 w-2/3" />
    </div>
  ));

function LineRow({ label, parts, note }: Line) {
  return (
    <li style={{ minHeight: lineHeight }} className="nums flex items-baseline gap-3 py-0.5">
      <span className="w-40 shrink-0 text-muted">{label}:</span>
      <span>
        {parts.map(({ text, to }, index) => (
          <span key={to + text}>
            {index > 0 && '; '}
            <Link
              to={to}
              className="font-medium text-ink underline decoration-line underline-offset-4 hover:decoration-current"
            >
              {text}
            </Link>
          </span>
        ))}
        {note !== undefined && <span className="text-muted"> ({note})</span>}
      </span>
    </li>
  );
}
