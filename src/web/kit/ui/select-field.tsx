import { useEffect, useId, useRef, useState, type KeyboardEvent, type Ref } from 'react';
import { ChevronDown } from 'lucide-react';
import { clsx } from 'clsx';
import { useAnchored } from './anchored.ts';
import { controlClass, FieldFrame, type FieldFrameProps } from './field-frame.tsx';
import { assignRef } from './assign-ref.ts';
import { dispatchKey, useKeyHelp, type KeyPress, type KeyTable } from './key-table.ts';
import { ListOption } from './picker-list.tsx';

interface SelectOption<V extends string> {
  value: V;
  label: string;
}

interface Choice<V extends string> {
  value: V;
  onValueChange: (value: V) => void;
  options: readonly SelectOption<V>[];
  ref?: Ref<HTMLButtonElement> | undefined;
}

/** A select-only combobox with its label above it, for a choice of few options. */
export function Select<V extends string>(props: FieldFrameProps & Choice<V>) {
  const { value, onValueChange, options, ref, ...frame } = props;
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <SelectBox
          {...control}
          ref={ref}
          label={frame.label}
          isLocked={frame.lockedReason !== undefined}
          value={value}
          onValueChange={onValueChange}
          options={options}
        />
      )}
    </FieldFrame>
  );
}

interface SelectBoxProps<V extends string> extends Choice<V> {
  /** The id of the button, for the `htmlFor` of its label. */
  id: string;
  /** The accessible name of the list. */
  label: string;
  isLocked?: boolean;
  className?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
  'aria-required'?: true | undefined;
}

/** The keys of a select (docs/keyboard.md §7). The handler below and the help both read this table. */
export const selectKeys = {
  open: { keys: ['Enter', 'Space', '↓', '↑', 'Alt+↓', 'F4'], label: 'Open the list' },
  take: { keys: ['Enter', 'Space', 'Alt+↑'], label: 'Choose the highlighted option' },
  close: { keys: ['Esc', 'F4'], label: 'Close the list' },
  down: { keys: '↓', label: 'Next option' },
  up: { keys: '↑', label: 'Previous option' },
  first: { keys: 'Home', label: 'First option' },
  last: { keys: 'End', label: 'Last option' },
  pageDown: { keys: 'PgDn', label: 'Ten options down' },
  pageUp: { keys: 'PgUp', label: 'Ten options up' },
  leave: { keys: ['Tab', 'Shift+Tab'], label: 'Choose the highlighted option and leave' },
  letter: {
    keys: 'A–Z',
    label: 'In the open list: next option that begins with this letter',
    also: ({ key, ctrlKey, metaKey, altKey }: KeyPress) => key.length === 1 && !ctrlKey && !metaKey && !altKey,
  },
} as const satisfies KeyTable;

/**
 * The control without label, after the "select-only combobox" pattern of the ARIA Authoring Practices. While it is closed it
 * ignores letters, because they are the screen's shortcuts. A native select would silently change its value.
 */
export function SelectBox<V extends string>(props: SelectBoxProps<V>) {
  const { value, onValueChange, options, ref, label, isLocked = false, className, ...control } = props;
  const chosen = options.findIndex((option) => option.value === value);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const typed = useRef({ text: '', at: 0 });
  const button = useRef<HTMLButtonElement>(null);
  const list = useAnchored<HTMLDivElement>(button, { isOpen, align: 'fill' });
  const listId = useId();
  useKeyHelp('Selects', selectKeys);

  useEffect(() => {
    if (isOpen) document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [isOpen, active, listId]);

  const open = (): void => {
    if (isLocked) return;
    setActive(Math.max(0, chosen));
    typed.current.text = '';
    setOpen(true);
  };
  const take = (index: number): void => {
    setOpen(false);
    const option = options[index];
    if (option && index !== chosen) onValueChange(option.value);
  };
  const search = (letter: string): void => {
    const now = performance.now();
    const text = now - typed.current.at < typeAheadMs ? typed.current.text + letter : letter;
    typed.current = { text, at: now };
    setActive(typeAhead(options, active, text));
  };

  const isTyping = (): boolean => typed.current.text !== '' && performance.now() - typed.current.at < typeAheadMs;
  const last = options.length - 1;

  const onKeyDown = (event: KeyboardEvent): void => {
    /** Wraps a handler that acts only while the list is open. */
    const inList = (act: () => void) => (): boolean => {
      if (isOpen) act();
      return isOpen;
    };
    const isUsed = dispatchKey(selectKeys, event, {
      open: () => {
        if (!isOpen) open();
        return !isOpen;
      },
      take: () => {
        if (!isOpen || (event.key === ' ' && isTyping())) return false;
        take(active);
        return true;
      },
      close: inList(() => setOpen(false)),
      down: inList(() => setActive(Math.min(active + 1, last))),
      up: inList(() => setActive(Math.max(active - 1, 0))),
      first: inList(() => setActive(0)),
      last: inList(() => setActive(last)),
      pageDown: inList(() => setActive(Math.min(active + pageStep, last))),
      pageUp: inList(() => setActive(Math.max(active - pageStep, 0))),
      leave: () => {
        // Not used up here: Tab still moves to the next field.
        if (isOpen) take(active);
        return false;
      },
      letter: inList(() => search(event.key)),
    });
    if (!isUsed) return;
    event.preventDefault();
    // While the list is open, the keys must not reach the handlers of a dialog or form around it.
    if (isOpen) event.stopPropagation();
  };

  return (
    <span className="relative block">
      <button
        {...control}
        ref={(element) => {
          button.current = element;
          return assignRef(ref, element);
        }}
        type="button"
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-activedescendant={isOpen ? `${listId}-${active}` : undefined}
        aria-disabled={isLocked || undefined}
        className={clsx(controlClass, 'flex items-center gap-1 pr-1.5 text-left', className)}
        onClick={() => (isOpen ? setOpen(false) : open())}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        onKeyUp={(event) => {
          // Firefox clicks a button when Space is released, even if the keydown was prevented.
          if (event.key === ' ') event.preventDefault();
        }}
      >
        <span className="min-w-0 flex-1 truncate">{options[chosen]?.label}</span>
        <ChevronDown size={14} aria-hidden className="shrink-0 text-muted" />
      </button>
      {isOpen && (
        // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- scrolling it must not take the focus from the button
        <div ref={list} popover="manual" className="floating py-1" onMouseDown={(event) => event.preventDefault()}>
          <div id={listId} role="listbox" aria-label={label}>
            {options.map((option, index) => (
              <ListOption
                key={option.value}
                id={`${listId}-${index}`}
                isActive={index === active}
                isSelected={index === chosen}
                onPick={() => take(index)}
              >
                {option.label}
              </ListOption>
            ))}
          </div>
        </div>
      )}
    </span>
  );
}

const typeAheadMs = 700;
const pageStep = 10;

/** Finds the next option that begins with the typed text. Pressing one letter repeatedly cycles through its options. */
function typeAhead(options: readonly { label: string }[], active: number, text: string): number {
  const [first = ''] = text;
  const isOneLetter = text === first.repeat(text.length);
  const begin = (isOneLetter ? first : text).toLowerCase();
  const from = isOneLetter ? active + 1 : active;
  for (let step = 0; step < options.length; step += 1) {
    const index = (from + step) % options.length;
    if (options[index]?.label.toLowerCase().startsWith(begin)) return index;
  }
  return active;
}
