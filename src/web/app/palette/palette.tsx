import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { CornerDownLeft } from 'lucide-react';
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
  const list = useRef<HTMLDivElement>(null);
  const listId = useId();
  const hasRecords = role === 'subadmin';

  const all = useMemo(
    () => ordered(actionsOf(registered, undefined).filter((action) => action.inPalette !== false)),
    [registered],
  );
  const found = useMemo(() => rank(all, text), [all, text]);
  const { records, isSearching, failure } = usePaletteSearch(text, hasRecords);
  const [showsAll, setShowsAll] = useShowAllLater();
  const shown: Action[] = [
    ...found,
    ...records,
    ...(failure
      ? [
          {
            id: retryId,
            label: `${failure.text}: search again`,
            note: failure.requestId && `Request ${failure.requestId}`,
            scope: 'Search',
            run: failure.retry,
          },
        ]
      : []),
  ];
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
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
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
          ref={list}
          id={listId}
          role="listbox"
          aria-label="Found"
          className="grid max-h-full grid-cols-[minmax(0,1fr)] content-start overflow-y-auto"
        >
          {(showsAll ? shown : shown.slice(0, firstRows)).map((action, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the input handles the keys (aria-activedescendant)
            <div
              key={`${action.id}-${index}`}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              aria-disabled={reasonAgainst(action) ? true : undefined}
              className={clsx(
                'flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3',
                index === active && 'bg-primary-soft outline outline-primary/60 -outline-offset-1',
              )}
              onMouseMove={() => setChosen(action.id)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(action)}
            >
              <span className={clsx('min-w-0 flex-1 truncate', reasonAgainst(action) && 'text-muted')}>
                {action.label}
                {action.note && <span className="nums ml-2 text-xs text-muted">{action.note}</span>}
                {reasonAgainst(action) && <span className="ml-2 text-xs">{reasonAgainst(action)}</span>}
              </span>
              <span className="text-xs text-muted">{action.scope}</span>
              {keysOf(action)[0] ? (
                <KeyHint keys={keysOf(action)[0] ?? ''} />
              ) : (
                <CornerDownLeft size={13} aria-hidden className="text-muted" />
              )}
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
          Search challans by TP number, full challan number, vehicle or amount; payments by number; trucks by plate;
          owners by name, phone, PAN or account; tags and petrol pumps by name.
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

/** The screen's own actions come first, then the other screens, then the actions that exist everywhere. */
function orderOf({ id, scope }: Action): number {
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

/** Filters the actions: every typed word must begin a word of the action. Labels that begin with the text come first. */
function rank(actions: readonly Action[], text: string): Action[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...actions];
  const begins = text.trim().toLowerCase();
  return actions
    .filter((action) => {
      const own = `${action.label} ${action.words ?? ''} ${action.scope}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
      return words.every((word) => own.some((one) => one.startsWith(word)));
    })
    .toSorted(
      (a, b) => Number(b.label.toLowerCase().startsWith(begins)) - Number(a.label.toLowerCase().startsWith(begins)),
    );
}
