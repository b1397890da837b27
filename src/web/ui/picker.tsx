import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { ChevronDown, X } from 'lucide-react';
import { clsx } from 'clsx';
import { useAnchored } from './anchored.ts';
import { controlLook, FieldFrame, type FieldFrameProps } from './field-frame.tsx';
import { PickerList } from './picker-list.tsx';
import { offered, resultText, searchOf, useDebounced, type PickerAsk, type PickerItems } from './picker-state.ts';

interface PickerProps<T> extends FieldFrameProps {
  value: T | null;
  /** null: the selection was cleared. */
  onPick: (item: T | null) => void;
  /** The items for what was last asked. */
  found: PickerItems<T>;
  /** Told what to search for, after the pause in typing. */
  onAsk: (ask: PickerAsk) => void;
  keyOf: (item: T) => string;
  textOf: (item: T) => string;
  /** A second, quieter line or a dot beside the name. */
  detailOf?: (item: T) => ReactNode;
  markOf?: (item: T) => ReactNode;
  debounceMs?: number;
  /** The 'Create "…"' entry; `noun` as in 'Create owner "Ravi"'. Opens the caller's form, which comes back through `value`. */
  create?: { noun: string; run: (text: string) => void } | undefined;
  /** Typed text is kept although it is no item (Owner Name, ruling 23). */
  freeText?: { text: string; onTextChange: (text: string) => void } | undefined;
  /** After Enter has picked: go to the next field. */
  onAdvance?: (() => void) | undefined;
  onBlur?: (() => void) | undefined;
  onKeyDown?: ((event: KeyboardEvent<HTMLInputElement>) => void) | undefined;
  name?: string | undefined;
  placeholder?: string;
  ref?: Ref<HTMLInputElement> | undefined;
}

/** A combobox over a search. Keys: design, keyboard.md, row "Pickers". */
export function Picker<T>(props: PickerProps<T>) {
  const { value, onPick, found, onAsk, keyOf, textOf, detailOf, markOf, debounceMs = 300, create, freeText } = props;
  const { onAdvance, onBlur, onKeyDown, name, placeholder = 'Search…', ref, ...frame } = props;
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  /** The text being typed; undefined while the field shows its selection. */
  const [typed, setTyped] = useState<string>();
  const [active, setActive] = useState(-1);
  const [hasMoved, setMoved] = useState(false);
  /** Enter was pressed before the search had answered: pick its first result when it comes. */
  const [pickNext, setPickNext] = useState(false);
  const justClosed = useRef(false);
  const isLocked = frame.lockedReason !== undefined;

  const resting = freeText ? freeText.text : value ? textOf(value) : '';
  const wanted = searchOf(typed ?? '');
  const [search, flush] = useDebounced(wanted, debounceMs);
  const isPending = isOpen && (found.search !== wanted || found.isLoading);
  const items = offered(found.search === wanted ? found.items : [], wanted, value, keyOf);
  const createText = (typed ?? '').trim();
  const hasExact = items.some((item) => textOf(item).toLowerCase() === createText.toLowerCase());
  const offersCreate = create !== undefined && !isPending && !hasExact;
  const count = items.length + (offersCreate ? 1 : 0);
  const list = useAnchored<HTMLDivElement>(input, { isOpen: isOpen && !isLocked, align: 'fill' });

  const reset = (): void => {
    setOpen(false);
    setTyped(undefined);
    setActive(-1);
    setMoved(false);
    setPickNext(false);
  };
  const pick = (item: T): void => {
    reset();
    onPick(item);
  };
  const clear = (): void => {
    reset();
    freeText?.onTextChange('');
    onPick(null);
    input.current?.focus();
  };
  const startCreate = (): void => {
    if (!create) return;
    const text = createText || (freeText?.text ?? '');
    reset();
    create.run(text);
  };
  const openList = (): void => {
    if (isLocked || isOpen) return;
    setOpen(true);
    setActive(value ? 0 : -1);
  };

  useEffect(() => onAsk({ search, isActive: isOpen }), [search, isOpen, onAsk]);

  // Results for newly typed text: its first row is the one Enter means.
  const resultKey = isPending ? '' : `${search}|${items.map(keyOf).join()}`;
  useEffect(() => {
    if (!isOpen || isPending) return;
    if (typed !== undefined && search !== '') setActive(items.length > 0 ? 0 : -1);
    if (!pickNext) return;
    setPickNext(false);
    const first = items[0];
    if (first) {
      pick(first);
      onAdvance?.();
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- acts once per result, not per render
  }, [resultKey, isOpen, isPending]);

  useEffect(() => {
    if (active >= 0) document.getElementById(`${listId}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active, listId]);

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

  const onEnter = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (!isOpen) return;
    if (isPending && typed !== undefined && wanted !== '') {
      event.preventDefault();
      flush();
      setPickNext(true);
      return;
    }
    const taken = takeActive();
    if (taken === 'none') {
      reset();
      return;
    }
    event.preventDefault();
    if (taken === 'picked') onAdvance?.();
  };

  const onEscape = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (isOpen || typed !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      reset();
      justClosed.current = true;
    } else if (justClosed.current && (value || freeText?.text)) {
      event.preventDefault();
      event.stopPropagation();
      justClosed.current = false;
      clear();
    }
  };

  const move = (to: number): void => {
    setMoved(true);
    setActive(count === 0 ? -1 : (to + count) % count);
  };

  const onKey = (event: KeyboardEvent<HTMLInputElement>): void => {
    const isComposing = event.nativeEvent.isComposing;
    if (!isLocked && !isComposing) {
      if (event.key === 'Escape') onEscape(event);
      else justClosed.current = false;
      if (event.key === 'F4' || (event.altKey && event.key === 'ArrowDown')) {
        event.preventDefault();
        openList();
      } else if (event.altKey && event.code === 'KeyC' && create) {
        event.preventDefault();
        event.stopPropagation();
        startCreate();
      } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        if (isOpen) move(event.key === 'ArrowDown' ? active + 1 : active < 0 ? count - 1 : active - 1);
        else openList();
      } else if (event.key === 'Enter' && !event.ctrlKey && !event.shiftKey) {
        onEnter(event);
      } else if (event.key === 'Tab' && isOpen && !isPending && (hasMoved || (typed ?? '') !== '') && items[active]) {
        takeActive();
      }
    }
    onKeyDown?.(event);
  };

  const leave = (): void => {
    // Emptied by hand means cleared; any other text that is no item gives way to the selection.
    if (typed !== undefined && typed.trim() === '' && value) onPick(null);
    reset();
    onBlur?.();
  };

  return (
    <FieldFrame {...frame}>
      {(control) => (
        <span className="relative block">
          <input
            {...control}
            ref={(element) => {
              input.current = element;
              if (typeof ref === 'function') return ref(element);
              if (ref) ref.current = element;
              return undefined;
            }}
            className={clsx(controlLook, 'pr-14')}
            type="text"
            role="combobox"
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && active >= 0 ? `${listId}-${active}` : undefined}
            autoComplete="off"
            spellCheck={false}
            name={name}
            placeholder={placeholder}
            value={typed ?? resting}
            readOnly={isLocked}
            onChange={(event) => {
              setTyped(event.target.value);
              setActive(-1);
              setOpen(true);
              freeText?.onTextChange(event.target.value);
            }}
            onFocus={(event) => event.currentTarget.select()}
            onClick={openList}
            onBlur={leave}
            onKeyDown={onKey}
          />
          <span className="absolute inset-y-0 right-1.5 flex items-center gap-0.5 text-muted">
            {!isLocked && resting !== '' && (
              <button
                type="button"
                tabIndex={-1}
                aria-label={`Clear ${frame.label}`}
                className="grid size-6 place-items-center rounded hover:bg-hover hover:text-ink"
                onMouseDown={(event) => event.preventDefault()}
                onClick={clear}
              >
                <X size={14} aria-hidden />
              </button>
            )}
            <ChevronDown size={14} aria-hidden className="pointer-events-none" />
          </span>
          {isOpen && !isLocked && (
            <PickerList
              ref={list}
              id={listId}
              label={frame.label}
              rows={items.map((item) => ({
                key: keyOf(item),
                isSelected: value !== null && keyOf(item) === keyOf(value),
                text: textOf(item),
                mark: markOf?.(item),
                detail: detailOf?.(item),
                onPick: () => pick(item),
              }))}
              create={offersCreate && create ? { noun: create.noun, text: createText, onPick: startCreate } : undefined}
              active={active}
              isPending={isPending}
              total={found.total}
              error={found.error}
            />
          )}
          <span role="status" className="sr-only">
            {isOpen && !isPending && resultText(items.length, found.total, false, found.error)}
          </span>
        </span>
      )}
    </FieldFrame>
  );
}
