import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { CornerDownLeft } from 'lucide-react';
import { clsx } from 'clsx';
import type { AccountRole } from '../../shared/contract/define.ts';
import { actionsOf, currentActions, keysOf, useRegistered, type Action } from '../actions/registry.ts';
import { Dialog } from '../ui/dialog.tsx';
import { KeyHint } from '../ui/key-hint.tsx';
import { dispatchKey, type KeyTable } from '../ui/key-table.ts';
import { Spinner } from '../ui/spinner.tsx';
import { usePaletteSearch } from './palette-search.ts';

interface PaletteProps {
  role: AccountRole;
  onClose: () => void;
}

/** In the list of the palette (docs/keyboard.md §2). */
export const paletteKeys = {
  next: { keys: '↓', label: 'Next entry' },
  previous: { keys: '↑', label: 'Previous entry' },
  choose: { keys: 'Enter', label: 'Go there, or do it' },
  beside: { keys: 'Shift+Enter', label: 'Open a list with what was found' },
} as const satisfies KeyTable;

const retryId = 'palette.retry';
const firstRows = 12;

/** Every action of the screen and of the shell, found by words, and records by what they are called. */
export function Palette({ role, onClose }: PaletteProps) {
  const registered = useRegistered();
  const [text, setText] = useState('');
  /** By name, not by place: entries that come later do not slip under the highlight. */
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
  const [isWhole, setWhole] = useWholeLater();
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
    if (!action || action.disabledReason) return;
    if (action.id === retryId) {
      action.run();
      return;
    }
    // After the dialog has given the focus back, so that the action may take it, and before the next key. What was drawn
    // may be of an earlier render of the screen, before its data came.
    flushSync(onClose);
    queueMicrotask(() => {
      const current = currentActions(undefined).find(({ id }) => id === action.id) ?? action;
      ((isBeside && current.runBeside) || current.run)();
    });
  };
  const move = (to: number): void => {
    const next = (to + shown.length) % Math.max(1, shown.length);
    flushSync(() => {
      setWhole(true);
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
    <Dialog open title="Go to, or do…" size="xl" closeOnOutside onClose={onClose} initialFocus={input}>
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
        // The list is always open: Escape belongs to the dialog.
        data-list-always-open
        onChange={(event) => {
          setText(event.target.value);
          setChosen(undefined);
        }}
        onKeyDown={onKey}
      />
      {/* Ten rows and a half: the cut one shows that the list goes on. The height is fixed, so that nothing moves while typing. */}
      <div className="relative h-[23.625rem]">
        <div
          ref={list}
          id={listId}
          role="listbox"
          aria-label="Found"
          className="grid max-h-full grid-cols-[minmax(0,1fr)] content-start overflow-y-auto"
        >
          {(isWhole ? shown : shown.slice(0, firstRows)).map((action, index) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the input has the keys (aria-activedescendant)
            <div
              key={`${action.id}-${index}`}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              aria-disabled={action.disabledReason ? true : undefined}
              className={clsx(
                'flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-3',
                index === active && 'bg-primary-soft outline outline-primary/60 -outline-offset-1',
              )}
              onMouseMove={() => setChosen(action.id)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(action)}
            >
              <span className={clsx('min-w-0 flex-1 truncate', action.disabledReason && 'text-muted')}>
                {action.label}
                {action.note && <span className="nums ml-2 text-xs text-muted">{action.note}</span>}
                {action.disabledReason && <span className="ml-2 text-xs">{action.disabledReason}</span>}
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
        <Outcome
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
 * The palette opens with the rows that the window of the list has, so that it is there at once. The rest comes after the
 * first drawing: a deferred render would come before it.
 */
function useWholeLater(): [boolean, (isWhole: boolean) => void] {
  const [isWhole, setWhole] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setWhole(true));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return [isWhole, setWhole];
}

function NothingFound({ hasRecords }: { hasRecords: boolean }) {
  return (
    <div>
      <p>Nothing is called that.</p>
      {hasRecords && (
        <p className="mt-1 text-xs">
          Challans are found by TP number, their own whole number, vehicle or amount, payments by number, trucks by
          plate, owners by name, phone, PAN or account, tags and petrol pumps by name.
        </p>
      )}
    </div>
  );
}

interface OutcomeProps {
  isEmpty: boolean;
  isSearching: boolean;
  count: number;
  /** Said where there is nothing. */
  nothing: ReactNode;
}

/** What the search is about, read out too: over the empty list, else at its lower edge. */
function Outcome({ isEmpty, isSearching, count, nothing }: OutcomeProps) {
  const isQuiet = !isEmpty && !isSearching;
  return (
    <div
      role="status"
      className={clsx(
        'flex items-center gap-2 text-muted',
        isQuiet && 'sr-only',
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

/** The screen's own commands first, then the other screens, then what is the same everywhere. */
function placeOf({ id, scope }: Action): number {
  // Away from what is chosen often: it must not be hit by a slip of one row.
  if (id === 'shell.logout') return 3;
  if (scope === 'Everywhere') return 2;
  return scope === 'Go to' ? 1 : 0;
}

/** One entry for each act: where the screen and the shell both offer it, the screen's own words. */
function ordered(actions: readonly Action[]): Action[] {
  const seen = new Set<string>();
  return actions
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .filter(({ id }) => {
      const isNew = !seen.has(id);
      seen.add(id);
      return isNew;
    });
}

/** Every typed word must begin some word of the action; labels that begin with the text come first. */
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
