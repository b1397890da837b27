import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { dispatchKey, useKeyHelp, type KeyTable } from './key-table.ts';
import { offeredItems, searchOf, useDebounced, type PickerQuery, type PickerItems } from './picker-state.ts';

export interface PickerOptions<T> {
  value: T | null;
  /** null clears the selection. `isLate` says that the user had left the field before its search answered. */
  onPick: (item: T | null, isLate: boolean) => void;
  /** The items for the last query. */
  found: PickerItems<T>;
  /** Called with what to search for, debounced. It must be a stable function. */
  onQuery: (query: PickerQuery) => void;
  keyOf: (item: T) => string;
  textOf: (item: T) => string;
  debounceMs?: number | undefined;
  /**
   * The 'Create "…"' entry, with `noun` as in 'Create owner "Ravi"'. It opens the caller's form, which sets the new record as
   * `value`.
   */
  create?: { noun: string; run: (text: string) => void } | undefined;
  /** For a field that keeps typed text although it is no item (Owner Name, docs/specification.md §8.2.2). */
  freeText?: { text: string; onTextChange: (text: string) => void } | undefined;
  /** Goes to the next field after Enter. The pick may come later, when the search answers. */
  onAdvance?: (() => void) | undefined;
  /** Called once the typed text is settled: while its search is pending, the old value must not be validated. */
  onBlur?: (() => void) | undefined;
  /** Called with an error while typed text is not a choice, so that a form can refuse to save; with undefined when corrected. */
  onProblem?: ((problem: string | undefined) => void) | undefined;
  /** Called when the user leaves the field before its search has answered. Saving must wait for the promise. */
  onPending?: ((settling: Promise<void>) => void) | undefined;
}

interface PickerField {
  input: RefObject<HTMLInputElement | null>;
  label: string;
  isLocked: boolean;
}

/** Text being typed. It is shown until the selection changes from outside (prefill, a conflict). */
interface Typing {
  text: string;
  /** The key of the selection when the text was typed. */
  over: string | undefined;
}

/** The keys of a picker (docs/keyboard.md §7). The handler below and the help both read this table. */
export const pickerKeys = {
  open: { keys: ['F4', 'Alt+↓'], label: 'Open the list' },
  create: { keys: 'Alt+C', label: 'Create the record that was not found' },
  down: { keys: '↓', label: 'Open the list, next row' },
  up: { keys: '↑', label: 'Open the list, previous row' },
  leave: {
    keys: ['Tab', 'Shift+Tab', 'Ctrl+S', 'Ctrl+Enter'],
    label: 'Choose the row you typed or moved to, and leave',
  },
  take: { keys: 'Enter', label: 'Choose the match and go to the next field' },
  close: { keys: 'Esc', label: 'Close the list; again: clear the field' },
} as const satisfies KeyTable;

/**
 * The behaviour of a picker. Leaving it by Enter, Tab, mouse or saving picks the item that matches the typed text. If the
 * search has not answered yet, the pick follows its answer. Text without a match stays, with an error.
 */
export function usePicker<T>(options: PickerOptions<T>, { input, label, isLocked }: PickerField) {
  const { value, onPick, found, onQuery, keyOf, textOf, debounceMs = 300, create, freeText } = options;
  const { onAdvance, onBlur, onProblem, onPending } = options;
  useKeyHelp('Pickers', pickerKeys);
  const [isOpen, setOpen] = useState(false);
  const [typing, setTyping] = useState<Typing>();
  const [active, setActive] = useState(-1);
  const [hasMoved, setMoved] = useState(false);
  /** The typed text will be settled when the pending search answers. */
  const [isAwaited, setAwaited] = useState(false);
  const [problem, setProblem] = useState<string>();
  /** The newest values within one event, when the state is still that of the last render. */
  const now = useRef<{ text?: string | undefined; release?: (() => void) | undefined }>({});
  const justClosed = useRef(false);

  const selected = value ? keyOf(value) : undefined;
  const isCurrent = typing && (freeText ? freeText.text === typing.text : selected === typing.over);
  const typed = isCurrent ? typing.text : undefined;
  const resting = freeText ? freeText.text : value ? textOf(value) : '';
  const wanted = searchOf(typed ?? '');
  const [search, flush] = useDebounced(wanted, debounceMs);
  const isActive = isOpen || (isAwaited && typed !== undefined);
  const isPending = isActive && (!found.isActive || found.search !== wanted || found.isLoading);
  const items = offeredItems(found.search === wanted ? found.items : [], wanted, value, keyOf);
  const createText = (typed ?? '').trim();
  const isExact = (item: T): boolean => textOf(item).toLowerCase() === createText.toLowerCase();
  const offersCreate = create !== undefined && !isPending && !items.some(isExact);
  const count = items.length + (offersCreate ? 1 : 0);

  const report = (next: string | undefined): void => {
    setProblem(next);
    onProblem?.(next);
  };
  const release = (): void => {
    now.current.release?.();
    now.current.release = undefined;
    setAwaited(false);
  };
  const close = (): void => {
    setOpen(false);
    setActive(-1);
    setMoved(false);
  };
  /** Drops the typed text: the field shows its selection again. */
  const discardTyped = (): void => {
    now.current.text = undefined;
    release();
    close();
    setTyping(undefined);
    report(undefined);
  };
  const pick = (item: T, isLate = false): void => {
    discardTyped();
    onPick(item, isLate);
  };
  const clear = (): void => {
    discardTyped();
    freeText?.onTextChange('');
    onPick(null, false);
    input.current?.focus();
  };
  const openList = (): void => {
    if (isLocked || isOpen) return;
    setOpen(true);
    setActive(value ? 0 : -1);
  };
  /** The typed text stays in the field, so that closing the form of the new record without saving does not lose it. */
  const startCreate = (): void => {
    if (!create) return;
    const text = createText || (freeText?.text ?? '');
    release();
    close();
    create.run(text);
  };

  /** Picks the item that matches the typed text. Returns false if there is none; the field then shows an error. */
  const settle = (isLate = false): boolean => {
    const first = wanted === '' ? items.find(isExact) : items[0];
    const item = hasMoved ? items[active] : first;
    if (item !== undefined) {
      pick(item, isLate);
      return true;
    }
    if (freeText) {
      discardTyped();
      return true;
    }
    const noun = create?.noun ?? label.toLowerCase();
    const none = `No ${noun} matches "${createText}"`;
    report(found.error ?? (wanted === '' ? `${none}: type two letters or more` : none));
    release();
    return false;
  };
  const settleLater = (): void => {
    if (now.current.release) return;
    flush();
    setAwaited(true);
    const settling = new Promise<void>((resolve) => {
      now.current.release = resolve;
    });
    onPending?.(settling);
  };
  const isAnswered = isActive && !isPending;
  /** Settles the typed text. Returns false if it must wait for the search. */
  const settleTyped = (): boolean => {
    const { text } = now.current;
    if (text === undefined) return true;
    if (text.trim() === '') {
      // The user has deleted the text: clear the selection.
      discardTyped();
      if (value) onPick(null, false);
    } else if (value && text.trim() === textOf(value)) {
      discardTyped();
    } else if (isAnswered) {
      settle();
    } else {
      settleLater();
      return false;
    }
    return true;
  };

  useEffect(() => onQuery({ search, isActive }), [search, isActive, onQuery]);

  const resultKey = isPending ? '' : `${search}|${items.map(keyOf).join()}`;
  // Layout effects, here and below: they run before the next key press, which must see the new items.
  useLayoutEffect(() => {
    if (!isAnswered) return;
    if (isAwaited) {
      const isLate = document.activeElement !== input.current;
      settle(isLate);
      if (isLate) onBlur?.();
    } else if (typed !== undefined && search !== '') {
      // Results for newly typed text: highlight the first row for Enter, which is "Create …" if there is no other.
      setActive(count > 0 ? 0 : -1);
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs once per result, not per render
  }, [resultKey, isAnswered, isAwaited]);

  useLayoutEffect(() => {
    if (typed === undefined && now.current.text !== undefined) discardTyped();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs when a value from outside has replaced the text
  }, [typed]);

  useEffect(() => {
    const held = now.current;
    return () => held.release?.();
  }, []);

  const takeActive = (): 'picked' | 'created' | 'none' => {
    const item = items[active];
    if (item !== undefined) {
      pick(item);
      return 'picked';
    }
    if (offersCreate && active === items.length) {
      startCreate();
      return 'created';
    }
    return 'none';
  };

  const onEnter = (event: KeyboardEvent): void => {
    const hasText = createText !== '';
    if (!isOpen && !hasText) return;
    if (hasText && !isAnswered) {
      event.preventDefault();
      settleLater();
      if (!onAdvance) return;
      close();
      onAdvance();
      return;
    }
    const taken = takeActive();
    if (taken === 'none' && !hasText) {
      settleTyped();
      close();
      return;
    }
    event.preventDefault();
    if (taken === 'picked' || (taken === 'none' && settle())) onAdvance?.();
  };

  const onEscape = (event: KeyboardEvent): void => {
    if (isOpen || typed !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      discardTyped();
      justClosed.current = true;
    } else if (justClosed.current && (value || freeText?.text)) {
      event.preventDefault();
      event.stopPropagation();
      justClosed.current = false;
      clear();
    }
  };

  /** Tab and the save keys pick the highlighted row if the user typed or moved to it. */
  const onLeavingKey = (event: KeyboardEvent): void => {
    const taken = isOpen && hasMoved ? takeActive() : 'none';
    if (taken === 'created') event.preventDefault();
    if (taken === 'none') settleTyped();
  };
  const move = (to: number): void => {
    setMoved(true);
    setActive(count === 0 ? -1 : (to + count) % count);
  };

  return {
    isOpen: isOpen && !isLocked,
    isPending,
    items,
    active,
    offersCreate,
    createText,
    shown: typed ?? resting,
    problem: typed === undefined ? undefined : problem,
    pick,
    clear,
    openList,
    close,
    startCreate,
    onChange: (text: string): void => {
      now.current.text = text;
      release();
      setTyping({ text, over: selected });
      setProblem(undefined);
      setActive(-1);
      setMoved(false);
      setOpen(true);
      const isChosen = freeText !== undefined || text.trim() === '';
      onProblem?.(isChosen ? undefined : `"${text.trim()}" is not chosen from the list yet`);
      freeText?.onTextChange(text);
    },
    onFocus: (): void => input.current?.select(),
    onBlur: (): void => {
      // If the field is still the active element, the window lost the focus and the user has not left the field.
      if (document.activeElement === input.current) return;
      const isSettled = settleTyped();
      close();
      if (isSettled) onBlur?.();
    },
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>): void => {
      if (isLocked || event.nativeEvent.isComposing) return;
      if (event.key !== 'Escape') justClosed.current = false;
      const step = (by: 1 | -1): void => {
        event.preventDefault();
        if (!isOpen) openList();
        else move(by === -1 && active < 0 ? count - 1 : active + by);
      };
      dispatchKey(pickerKeys, event, {
        open: () => {
          event.preventDefault();
          openList();
        },
        create: () => {
          if (!create) return false;
          event.preventDefault();
          event.stopPropagation();
          startCreate();
          return true;
        },
        down: () => step(1),
        up: () => step(-1),
        leave: () => onLeavingKey(event),
        take: () => onEnter(event),
        close: () => onEscape(event),
      });
    },
  };
}
