import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { ChevronRight } from 'lucide-react';
import { clsx } from 'clsx';
import type { AccountRole } from '../../../shared/contract/define.ts';
import {
  actionsOf,
  currentActions,
  keysOf,
  reasonAgainst,
  runWithRows,
  useRegistered,
  type Action,
} from '../../kit/actions/registry.ts';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { KeyHint } from '../../kit/ui/key-hint.tsx';
import { dispatchKey, type KeyTable } from '../../kit/ui/key-table.ts';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { storedPreference, writePreference } from '../../kit/api/account-storage.ts';
import { usePaletteSearch } from './palette-search.ts';

interface PaletteProps {
  role: AccountRole;
  onClose: () => void;
}

/** The keys of the palette (docs/keyboard.md §2). */
export const paletteKeys = {
  next: { keys: '↓', label: 'Next entry' },
  previous: { keys: '↑', label: 'Previous entry' },
  choose: { keys: 'Enter', label: 'Go to the screen or record, or run the action' },
  beside: { keys: 'Shift+Enter', label: 'Open the list that contains the record' },
} as const satisfies KeyTable;

const retryId = 'palette.retry';
const firstRows = 12;

/** The command palette: finds the actions of the screen and the shell by their words, and records by name or number. */
export function Palette({ role, onClose }: PaletteProps) {
  const registered = useRegistered();
  const [text, setText] = useState('');
  /** The id of the highlighted entry. It is an id and not an index, so that entries that load later do not move the highlight. */
  const [chosen, setChosen] = useState<string>();
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const hasRecords = role === 'subadmin';

  const all = useMemo(
    () => ordered(actionsOf(registered, undefined).filter((action) => action.inPalette !== false)),
    [registered],
  );
  const [uses] = useState(readUses);
  const { records, isSearching, failure, wordsOf } = usePaletteSearch(text, hasRecords);
  const found = useMemo(() => rank(all, text, uses, wordsOf), [all, text, uses, wordsOf]);
  const [showsAll, setShowsAll] = useShowAllLater();
  const groups = groupsOf([
    ...found,
    ...records.map((action): Grouped => ({ group: action.scope, action })),
    ...(failure
      ? [
          {
            group: 'Search',
            action: {
              id: retryId,
              label: `${failure.text}: search again`,
              note: failure.requestId && `Request ${failure.requestId}`,
              scope: 'Search',
              run: failure.retry,
            },
          },
        ]
      : []),
  ]);
  const shown = groups.flatMap(({ actions }) => actions);
  const active = Math.max(
    0,
    shown.findIndex(({ id }) => id === chosen),
  );

  const choose = (action: Action | undefined, isBeside = false): void => {
    if (!action || reasonAgainst(action)) return;
    if (action.id === retryId) {
      action.run();
      return;
    }
    // The microtask runs after the dialog has restored the focus, so that the action can move it, and before the next key
    // press. It looks the action up again, because the rendered one may be older than the screen's data.
    flushSync(onClose);
    if (all.includes(action)) countUse(uses, action.id);
    queueMicrotask(() => {
      const current = currentActions(undefined).find(({ id }) => id === action.id) ?? action;
      if (isBeside && current.runBeside) current.runBeside();
      else runWithRows(current);
    });
  };
  const move = (to: number): void => {
    const next = (to + shown.length) % Math.max(1, shown.length);
    flushSync(() => {
      setShowsAll(true);
      setChosen(shown[next]?.id);
    });
    document.getElementById(`${listId}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    const isUsed = dispatchKey(paletteKeys, event, {
      next: () => move(active + 1),
      previous: () => move(active - 1),
      choose: () => choose(shown[active]),
      beside: () => choose(shown[active], true),
    });
    if (isUsed) event.preventDefault();
  };

  return (
    <Dialog title="Go to, or do…" size="xl" closeOnOutside onClose={onClose} initialFocus={input}>
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label="Find a screen or an action"
        aria-expanded
        aria-controls={listId}
        aria-activedescendant={shown[active] ? `${listId}-${active}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={
          hasRecords
            ? 'A screen, action, challan, vehicle, amount, payment, owner, tag or pump'
            : 'A screen or an action'
        }
        className="mb-2 h-9 w-full rounded-md border border-control/70 bg-surface px-3"
        value={text}
        // The list is always open, so Escape closes the dialog.
        data-list-always-open
        onChange={(event) => {
          setText(event.target.value);
          setChosen(undefined);
        }}
        onKeyDown={onKey}
      />
      {/* Ten and a half rows: the half row shows that the list continues. The height is fixed, so that nothing moves. */}
      <div className="relative h-[23.625rem]">
        <div
          id={listId}
          role="listbox"
          aria-label="Found"
          className="grid max-h-full grid-cols-[minmax(0,1fr)] content-start overflow-y-auto"
        >
          {groups.map(({ group, first, actions }) => (
            <div key={group} role="group" aria-label={group} className="grid grid-cols-[minmax(0,1fr)]">
              {/* As high as a row, so that the list is cut in the middle of one. */}
              <div aria-hidden className="flex h-9 items-end px-3 pb-1 text-xs font-semibold text-muted">
                {group}
              </div>
              {(showsAll ? actions : actions.slice(0, Math.max(0, firstRows - first))).map((action, place) => (
                <Entry
                  key={`${action.id}-${place}`}
                  id={`${listId}-${first + place}`}
                  action={action}
                  isActive={first + place === active}
                  onPoint={() => setChosen(action.id)}
                  onChoose={() => choose(action)}
                />
              ))}
            </div>
          ))}
        </div>
        <SearchStatus
          isEmpty={shown.length === 0}
          isSearching={isSearching}
          count={records.length}
          nothing={<NothingFound hasRecords={hasRecords} />}
        />
      </div>
    </Dialog>
  );
}

interface EntryProps {
  id: string;
  action: Action;
  isActive: boolean;
  onPoint: () => void;
  onChoose: () => void;
}

function Entry({ id, action, isActive, onPoint, onChoose }: EntryProps) {
  const reason = reasonAgainst(action);
  const Icon = action.icon ?? ChevronRight;
  const [keys] = keysOf(action);
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the input handles the keys (aria-activedescendant)
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-disabled={reason ? true : undefined}
      className={clsx(
        // The heading above the first entry of a group stays in sight.
        'flex min-h-9 scroll-mt-9 cursor-pointer items-center gap-3 rounded-md px-3',
        isActive && 'bg-primary-soft outline outline-primary/60 -outline-offset-1',
      )}
      onMouseMove={onPoint}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Icon size={16} aria-hidden className="shrink-0 text-muted" />
      <span className={clsx('min-w-0 flex-1 truncate', reason && 'text-muted')}>
        {action.label}
        {action.note && <span className="nums ml-2 text-xs text-muted">{action.note}</span>}
        {reason && <span className="ml-2 text-xs">{reason}</span>}
      </span>
      {keys !== undefined && <KeyHint keys={keys} />}
    </div>
  );
}

/**
 * The palette opens with only the visible rows, so that it appears at once. The rest renders after the first paint. A deferred
 * value would render before it.
 */
function useShowAllLater(): [boolean, (showsAll: boolean) => void] {
  const [showsAll, setShowsAll] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setShowsAll(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return [showsAll, setShowsAll];
}

function NothingFound({ hasRecords }: { hasRecords: boolean }) {
  return (
    <div>
      <p>No results.</p>
      {hasRecords && (
        <p className="mt-1 text-xs">
          Search challans by TP number, full challan number, vehicle or amount; payments by number or UTR; trucks by
          plate; owners by name, phone, PAN or account; tags and petrol pumps by name.
        </p>
      )}
    </div>
  );
}

interface SearchStatusProps {
  isEmpty: boolean;
  isSearching: boolean;
  count: number;
  /** Shown if there are no results. */
  nothing: ReactNode;
}

/** The status of the search, also for screen readers. It replaces an empty list, and otherwise is at its lower edge. */
function SearchStatus({ isEmpty, isSearching, count, nothing }: SearchStatusProps) {
  const isHidden = !isEmpty && !isSearching;
  return (
    <div
      role="status"
      className={clsx(
        'flex items-center gap-2 text-muted',
        isHidden && 'sr-only',
        isEmpty
          ? 'px-3 py-2'
          : 'absolute right-3 bottom-1 rounded-md border border-line bg-raised px-2 py-1 shadow-card',
      )}
    >
      {isSearching && (
        <>
          <Spinner />
          Searching challans, payments, trucks and owners…
        </>
      )}
      {!isSearching && isEmpty && nothing}
      {!isSearching && count > 0 && `${count} found`}
    </div>
  );
}

interface Grouped {
  group: string;
  action: Action;
}

/** The entries under their headings. A heading stands where its first entry is. `first` is the number of its first entry. */
function groupsOf(entries: readonly Grouped[]): { group: string; first: number; actions: Action[] }[] {
  const groups = new Map<string, Action[]>();
  for (const { group, action } of entries) groups.set(group, [...(groups.get(group) ?? []), action]);
  let first = 0;
  return [...groups].map(([group, actions]) => {
    first += actions.length;
    return { group, first: first - actions.length, actions };
  });
}

const headings = ['Do here', 'Go to', 'Do anywhere', 'Do anywhere'] as const;

/** The screen's own actions come first, then the other screens, then the actions that exist everywhere. */
function orderOf({ id, scope }: Action): 0 | 1 | 2 | 3 {
  // Logout is last, far from frequent entries, so that it is not chosen by mistake.
  if (id === 'shell.logout') return 3;
  if (scope === 'Everywhere') return 2;
  return scope === 'Go to' ? 1 : 0;
}

/** Sorts the actions, with one entry for each. If the screen and the shell offer the same action, the screen's is used. */
function ordered(actions: readonly Action[]): Action[] {
  const seen = new Set<string>();
  return actions
    .toSorted((a, b) => orderOf(a) - orderOf(b))
    .filter(({ id }) => {
      const isNew = !seen.has(id);
      seen.add(id);
      return isNew;
    });
}

/** How often this person has chosen an action here, by its id. */
type Uses = ReadonlyMap<string, number>;

const usesKey = 'palette-uses';
/** So many actions are offered first, those that were chosen at least twice. */
const mostOffered = 5;
const leastUses = 2;
/** From this count all are halved, so that what is chosen lately comes before what was chosen long ago. */
const mostUses = 30;

function readUses(): Uses {
  const stored = storedPreference(usesKey);
  const entries = typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
  return new Map(entries.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
}

function countUse(uses: Uses, id: string): void {
  const next = new Map(uses).set(id, (uses.get(id) ?? 0) + 1);
  const divisor = (next.get(id) ?? 0) > mostUses ? 2 : 1;
  writePreference(usesKey, Object.fromEntries([...next].map(([key, count]) => [key, Math.floor(count / divisor)])));
}

/**
 * The actions under their headings. Without a text, those that are used most come first. With one, every typed word must begin
 * a word of the action: labels that begin with the text come first, then what is used most.
 */
function rank(
  actions: readonly Action[],
  text: string,
  uses: Uses,
  wordsOf: (actionId: string) => string,
): readonly Grouped[] {
  const usesOf = ({ id }: Action): number => uses.get(id) ?? 0;
  const underHeading = (action: Action): Grouped => ({ group: headings[orderOf(action)], action });
  const byUse = (a: Action, b: Action): number => usesOf(b) - usesOf(a);
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) {
    const most = actions
      .filter((action) => usesOf(action) >= leastUses && orderOf(action) < 3)
      .toSorted(byUse)
      .slice(0, mostOffered);
    return [
      ...most.map((action) => ({ group: 'Used most', action })),
      ...actions.filter((action) => !most.includes(action)).map(underHeading),
    ];
  }
  const begins = text.trim().toLowerCase();
  const isBegun = ({ label }: Action): number => Number(label.toLowerCase().startsWith(begins));
  return actions
    .filter((action) => {
      const own = `${action.label} ${action.words ?? ''} ${wordsOf(action.id)} ${action.scope}`
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u);
      return words.every((word) => own.some((one) => one.startsWith(word)));
    })
    .toSorted((a, b) => isBegun(b) - isBegun(a) || byUse(a, b))
    .map(underHeading);
}
