import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { CornerDownLeft } from 'lucide-react';
import { clsx } from 'clsx';
import type { AccountRole } from '../../shared/contract/define.ts';
import { keysOf, useRegistered, type Action } from '../actions/registry.ts';
import { Dialog } from '../ui/dialog.tsx';
import { KeyHint } from '../ui/key-hint.tsx';

/** Fewer letters than this name no challan (part 2 §2.1, TP filter). */
const challanSearchLeast = 3;

interface PaletteProps {
  role: AccountRole;
  onClose: () => void;
}

/** Every action of the screen and of the shell, found by words. What it runs is what the keys run. */
export function Palette({ role, onClose }: PaletteProps) {
  const registered = useRegistered();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const listId = useId();

  const all = useMemo(
    () =>
      registered
        .filter(({ dialog }) => dialog === undefined)
        .toReversed()
        .flatMap(({ actions }) => actions)
        .filter((action) => action.inPalette !== false && !action.handledElsewhere),
    [registered],
  );
  const found = useMemo(() => rank(all, text), [all, text]);
  const term = text.trim();
  const shown: Action[] = [
    ...found,
    ...(role === 'subadmin' && term.length >= challanSearchLeast
      ? [
          {
            id: 'palette.tp',
            label: `Find challans with TP No “${term}”`,
            scope: 'Search',
            run: () => void navigate(`/challans?${new URLSearchParams({ tpNo: term }).toString()}`),
          },
        ]
      : []),
  ];

  const choose = (action: Action | undefined): void => {
    if (!action || action.disabledReason) return;
    onClose();
    // After the dialog has given the focus back, so that the action may take it.
    setTimeout(action.run, 0);
  };
  const move = (to: number): void => {
    const next = (to + shown.length) % Math.max(1, shown.length);
    setActive(next);
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' });
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') move(active + 1);
    else if (event.key === 'ArrowUp') move(active - 1);
    else if (event.key === 'Enter') choose(shown[active]);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog open title="Go to, or do…" size="md" closeOnOutside onClose={onClose} initialFocus={input}>
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
        placeholder={role === 'admin' ? 'Type a screen or an action' : 'Type a screen, an action or a TP number'}
        className="mb-2 h-9 w-full rounded-md border border-control/70 bg-surface px-3"
        value={text}
        // The list is always open: Escape belongs to the dialog.
        data-list-always-open
        onChange={(event) => {
          setText(event.target.value);
          setActive(0);
        }}
        onKeyDown={onKey}
      />
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label="Found"
        className="grid max-h-96 content-start overflow-y-auto"
      >
        {shown.map((action, index) => (
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
            onMouseMove={() => setActive(index)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(action)}
          >
            <span className={clsx('min-w-0 flex-1 truncate', action.disabledReason && 'text-muted')}>
              {action.label}
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
      {shown.length === 0 && <p className="px-3 py-2 text-muted">Nothing is called that.</p>}
    </Dialog>
  );
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
    .sort(
      (a, b) => Number(b.label.toLowerCase().startsWith(begins)) - Number(a.label.toLowerCase().startsWith(begins)),
    );
}
