import { useId, useRef, type ReactNode, type Ref } from 'react';
import { ChevronDown } from 'lucide-react';
import { clsx } from 'clsx';
import { useAnchored } from './anchored.ts';
import { ClearButton, controlClass, FieldFrame, hasLeftField, type FieldFrameProps } from './field-frame.tsx';
import { assignRef } from './assign-ref.ts';
import { PickerList } from './picker-list.tsx';
import { resultText } from './picker-state.ts';
import { usePicker, type PickerOptions } from './use-picker.ts';

interface PickerProps<T> extends FieldFrameProps, PickerOptions<T> {
  /** A muted detail after the name. */
  detailOf?: (item: T) => ReactNode;
  /** A mark before the name, such as a tag's dot. */
  markOf?: (item: T) => ReactNode;
  name?: string | undefined;
  placeholder?: string;
  ref?: Ref<HTMLInputElement> | undefined;
}

/** A combobox that searches on the server. Its keys are in docs/keyboard.md §7. */
export function Picker<T>(props: PickerProps<T>) {
  const { value, found, keyOf, textOf, create, detailOf, markOf, label, name, placeholder = 'Search…', ref } = props;
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const isLocked = props.lockedReason !== undefined;
  const picker = usePicker<T>(props, { input, label, isLocked });
  const { isOpen, isPending, items, active, shown, problem } = picker;
  const list = useAnchored<HTMLDivElement>(input, { isOpen, align: 'fill' });
  const announcement = isOpen && !isPending && resultText(items.length, found.total, false, found.error);

  return (
    <FieldFrame {...props} error={problem ?? props.error}>
      {(control) => (
        <span className="relative block">
          <input
            {...control}
            ref={(element) => {
              input.current = element;
              return assignRef(ref, element);
            }}
            className={clsx(controlClass, 'pr-14')}
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
            value={shown}
            readOnly={isLocked}
            onChange={(event) => picker.onChange(event.target.value)}
            onFocus={picker.onFocus}
            onClick={picker.openList}
            onBlur={(event) => (hasLeftField(event) ? picker.onBlur() : picker.close())}
            onKeyDown={picker.onKeyDown}
          />
          <span className="absolute inset-y-0 right-1.5 flex items-center gap-0.5 text-muted">
            {!isLocked && shown !== '' && <ClearButton label={`Clear ${label}`} onClick={picker.clear} />}
            {!isLocked && <ChevronDown size={14} aria-hidden className="pointer-events-none" />}
          </span>
          {isOpen && (
            <PickerList
              ref={list}
              id={listId}
              label={label}
              rows={items.map((item) => ({
                key: keyOf(item),
                isSelected: value !== null && keyOf(item) === keyOf(value),
                text: textOf(item),
                mark: markOf?.(item),
                detail: detailOf?.(item),
                onPick: () => picker.pick(item),
              }))}
              create={
                picker.offersCreate && create
                  ? { noun: create.noun, text: picker.createText, onPick: picker.startCreate }
                  : undefined
              }
              active={active}
              isPending={isPending}
              total={found.total}
              error={found.error}
              requestId={found.requestId}
            />
          )}
          <span role="status" className="sr-only">
            {problem !== undefined && problem !== announcement ? `${label}: ${problem}` : announcement}
          </span>
        </span>
      )}
    </FieldFrame>
  );
}
