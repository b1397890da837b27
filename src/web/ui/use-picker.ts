import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { dispatchKey, useKeyHelp, type KeyTable } from './key-table.ts';
import { offered, searchOf, useDebounced, type PickerAsk, type PickerItems } from './picker-state.ts';

export interface PickerOptions<T> {
  value: T | null;
  /** null: the selection was cleared. `isLate`: the field had been left before its search answered. */
  onPick: (item: T | null, isLate: boolean) => void;
  /** The items for what was last asked. */
  found: PickerItems<T>;
  /** Told what to search for, after the pause in typing. */
  onAsk: (ask: PickerAsk) => void;
  keyOf: (item: T) => string;
  textOf: (item: T) => string;
  debounceMs?: number | undefined;
  /**
   * The 'Create "…"' entry; `noun` as in 'Create owner "Ravi"'. Opens the caller's form, which comes back through
   * `value`.
   */
  create?: { noun: string; run: (text: string) => void } | undefined;
  /** Typed text is kept although it is no item (Owner Name, docs/specification.md §8.2.2). */
  freeText?: { text: string; onTextChange: (text: string) => void } | undefined;
  /** After Enter: go to the next field. The pick itself may follow. */
  onAdvance?: (() => void) | undefined;
  /** Once what was typed is settled: a field whose search is under way is not judged by its old value. */
  onBlur?: (() => void) | undefined;
  /** Told while typed text is not chosen from the list, so that a form can refuse to be sent; undefined when mended. */
  onProblem?: ((problem: string | undefined) => void) | undefined;
  /** The field was left before its search answered: saving must wait for this. */
  onPending?: ((settling: Promise<void>) => void) | undefined;
}

interface Place {
  input: RefObject<HTMLInputElement | null>;
  label: string;
  isLocked: boolean;
}

/** Text being typed is shown until the selection it was typed over changes from outside (prefill, a conflict). */
interface Typing {
  text: string;
  over: string | undefined;
}

/** The keys of a picker (docs/keyboard.md §7), which its handler below dispatches from and the help lists. */
export const pickerKeys = {
  open: { keys: ['F4', 'Alt+↓'], label: 'Open the list' },
  create: { keys: 'Alt+C', label: 'Create the record that was not found' },
  down: { keys: '↓', label: 'Open the list, next row' },
  up: { keys: '↑', label: 'Open the list, previous row' },
  leave: { keys: ['Tab', 'Shift+Tab', 'Ctrl+S', 'Ctrl+Enter'], label: 'Take the row one typed or moved to, and leave' },
  take: { keys: 'Enter', label: 'Take the match and go to the next field' },
  close: { keys: 'Esc', label: 'Close the list; again: clear the field' },
} as const satisfies KeyTable;

/**
 * What a picker does. Leaving it, by Enter, Tab, the mouse or saving, takes what the typed text means; a search that has
 * not answered yet is waited for, and the pick follows. Text that means nothing stays, with the reason.
 */
export function usePicker<T>(options: PickerOptions<T>, { input, label, isLocked }: Place) {
  const { value, onPick, found, onAsk, keyOf, textOf, debounceMs = 300, create, freeText } = options;
  const { onAdvance, onBlur, onProblem, onPending } = options;
  useKeyHelp('Pickers', pickerKeys);
  const [isOpen, setOpen] = useState(false);
  const [typing, setTyping] = useState<Typing>();
  const [active, setActive] = useState(-1);
  const [hasMoved, setMoved] = useState(false);
  /** What the text means is taken from the answer that is under way. */
  const [isAwaited, setAwaited] = useState(false);
  const [problem, setProblem] = useState<string>();
  /** The newest values within one event, where the state is still that of the last render. */
  const now = useRef<{ text?: string | undefined; release?: (() => void) | undefined }>({});
  const justClosed = useRef(false);

  const selected = value ? keyOf(value) : undefined;
  const isCurrent = typing && (freeText ? freeText.text === typing.text : selected === typing.over);
  const typed = isCurrent ? typing.text : undefined;
  const resting = freeText ? freeText.text : value ? textOf(value) : '';
  const wanted = searchOf(typed ?? '');
  const [search, flush] = useDebounced(wanted, debounceMs);
  const isAsking = isOpen || (isAwaited && typed !== undefined);
  const isPending = isAsking && (!found.isActive || found.search !== wanted || found.isLoading);
  const items = offered(found.search === wanted ? found.items : [], wanted, value, keyOf);
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
  /** The field shows its selection again. */
  const forget = (): void => {
    now.current.text = undefined;
    release();
    close();
    setTyping(undefined);
    report(undefined);
  };
  const pick = (item: T, isLate = false): void => {
    forget();
    onPick(item, isLate);
  };
  const clear = (): void => {
    forget();
    freeText?.onTextChange('');
    onPick(null, false);
    input.current?.focus();
  };
  const openList = (): void => {
    if (isLocked || isOpen) return;
    setOpen(true);
    setActive(value ? 0 : -1);
  };
  /** The text stays in the field: closing the form of the new record without saving must not lose it. */
  const startCreate = (): void => {
    if (!create) return;
    const text = createText || (freeText?.text ?? '');
    release();
    close();
    create.run(text);
  };

  /** Takes what the text means among the answers; false: nothing, and the field says so. */
  const settle = (isLate = false): boolean => {
    const first = wanted === '' ? items.find(isExact) : items[0];
    const item = hasMoved ? items[active] : first;
    if (item !== undefined) {
      pick(item, isLate);
      return true;
    }
    if (freeText) {
      forget();
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
  const isAnswered = isAsking && !isPending;
  /** True: all is said; false: the answer is waited for. */
  const settleTyped = (): boolean => {
    const { text } = now.current;
    if (text === undefined) return true;
    if (text.trim() === '') {
      // Emptied by hand means cleared.
      forget();
      if (value) onPick(null, false);
    } else if (value && text.trim() === textOf(value)) {
      forget();
    } else if (isAnswered) {
      settle();
    } else {
      settleLater();
      return false;
    }
    return true;
  };

  useEffect(() => onAsk({ search, isActive: isAsking }), [search, isAsking, onAsk]);

  const resultKey = isPending ? '' : `${search}|${items.map(keyOf).join()}`;
  // With the drawing, here and below: a key that comes after it is newer than the answer.
  useLayoutEffect(() => {
    if (!isAnswered) return;
    if (isAwaited) {
      const isLeft = document.activeElement !== input.current;
      settle(isLeft);
      if (isLeft) onBlur?.();
    } else if (typed !== undefined && search !== '') {
      // Results for newly typed text: its first row is the one Enter means, "Create …" where there is no other.
      setActive(count > 0 ? 0 : -1);
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- acts once per result, not per render
  }, [resultKey, isAnswered, isAwaited]);

  useLayoutEffect(() => {
    if (typed === undefined && now.current.text !== undefined) forget();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- when the text has given way to a value from outside
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
      forget();
      justClosed.current = true;
    } else if (justClosed.current && (value || freeText?.text)) {
      event.preventDefault();
      event.stopPropagation();
      justClosed.current = false;
      clear();
    }
  };

  /** Tab, and saving from within the field, take the marked row if it was typed or moved to. */
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
      // The window lost the focus, not the field.
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
