import { useEffect, type ReactNode, type Ref } from 'react';
import { Plus } from 'lucide-react';
import { clsx } from 'clsx';
import { KeyHint } from './key-hint.tsx';
import { resultText } from './picker-state.ts';
import { RequestId } from './request-id.tsx';
import { Spinner } from './spinner.tsx';

interface PickerRow {
  key: string;
  text: string;
  mark: ReactNode;
  detail: ReactNode;
  isSelected: boolean;
  onPick: () => void;
}

interface PickerListProps {
  ref: Ref<HTMLDivElement>;
  /** Row n has the id `${id}-${n}`. The input refers to the active row by it (aria-activedescendant). */
  id: string;
  label: string;
  rows: readonly PickerRow[];
  /** The last row: 'Create owner "Ravi"'. */
  create: { noun: string; text: string; onPick: () => void } | undefined;
  active: number;
  isPending: boolean;
  total: number | undefined;
  error: string | undefined;
  requestId: string | undefined;
}

/** The list below a picker's field. The field keeps the focus and handles the keys. */
export function PickerList({
  ref,
  id,
  label,
  rows,
  create,
  active,
  isPending,
  total,
  error,
  requestId,
}: PickerListProps) {
  const hasMore = !isPending && total !== undefined && rows.length > 0 && total > rows.length;
  useEffect(() => {
    if (active >= 0) document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active, id]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- scrolling it must not take the focus from the field
    <div
      ref={ref}
      popover="manual"
      // `flex` applies only to the open popover: without the condition it would show a closed one.
      className="floating overflow-hidden! py-1 [&:popover-open]:flex [&:popover-open]:flex-col"
      onMouseDown={(event) => event.preventDefault()}
    >
      {/* The rows scroll; "Create …" and the count below them are always visible. */}
      <div
        id={id}
        role="listbox"
        aria-label={label}
        className={clsx('min-h-0 overflow-y-auto', create && 'scroll-pb-9')}
      >
        {rows.map((row, index) => (
          <ListOption
            key={row.key}
            id={`${id}-${index}`}
            isActive={index === active}
            isSelected={row.isSelected}
            onPick={row.onPick}
          >
            {row.mark}
            <span className="min-w-0 flex-1 truncate" title={row.text}>
              {row.text}
            </span>
            {row.detail !== undefined && <span className="shrink-0 text-xs text-muted">{row.detail}</span>}
          </ListOption>
        ))}
        {create && (
          <ListOption
            id={`${id}-${rows.length}`}
            isActive={active === rows.length}
            isSelected={false}
            onPick={create.onPick}
            className="sticky bottom-0"
          >
            <Plus size={14} aria-hidden className="text-primary" />
            <span className="min-w-0 flex-1 truncate text-primary">
              Create {create.noun}
              {create.text && ` "${create.text}"`}
            </span>
            <KeyHint keys="Alt+C" />
          </ListOption>
        )}
      </div>
      {(isPending || rows.length === 0 || error) && (
        <div className="px-3 py-1.5">
          <p className="flex items-center gap-2 text-xs text-muted">
            {isPending && <Spinner size={12} />}
            {resultText(rows.length, total, isPending, error)}
          </p>
          {error && <RequestId id={requestId} />}
        </div>
      )}
      {hasMore && (
        <p className="shrink-0 border-t border-line px-3 py-1.5 text-xs text-muted">
          {resultText(rows.length, total, false)} · type to narrow
        </p>
      )}
    </div>
  );
}

interface ListOptionProps {
  id: string;
  isActive: boolean;
  isSelected: boolean;
  onPick: () => void;
  className?: string;
  children: ReactNode;
}

/** A row of a list whose field keeps the focus and moves the active row (aria-activedescendant). */
export function ListOption({ id, isActive, isSelected, onPick, className, children }: ListOptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field handles the keys (aria-activedescendant)
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isSelected}
      className={clsx(
        'mx-1 flex min-h-8 cursor-pointer items-center gap-2 rounded px-2',
        isActive ? 'bg-primary-soft outline outline-primary/60 -outline-offset-1' : 'bg-raised hover:bg-hover',
        isSelected && 'font-semibold',
        className,
      )}
      onClick={onPick}
    >
      {children}
    </div>
  );
}
