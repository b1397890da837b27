import { useEffect, useId, useState, type KeyboardEvent, type RefObject } from 'react';
import { ArrowDown, ArrowUp, Pin } from 'lucide-react';
import { useAnchored } from '../ui/anchored.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { dispatchKey, useKeyHelp, type KeyTable } from '../ui/key-table.ts';
import type { TableControls } from './grid-controls.ts';
import type { Density } from './grid-settings.ts';

export interface GridViewPanelProps {
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
  /** undefined: the rows have only one height. */
  density?: Density | undefined;
  onDensity?: ((density: Density) => void) | undefined;
  controls: Omit<TableControls, 'enter'> | undefined;
}

const densities: { value: Density; label: string }[] = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
];

/** The keys of a column in the list (docs/keyboard.md §3). */
export const columnKeys = {
  row: { keys: ['↑', '↓'], label: 'Column above or below' },
  toggle: { keys: 'Space', label: 'Show or hide the column', by: 'browser' },
  move: { keys: ['Alt+↑', 'Alt+↓'], label: 'Move the column' },
  width: { keys: ['Alt+←', 'Alt+→'], label: 'Make the column narrower or wider' },
  pin: { keys: 'P', label: 'Pin the column to the left, or unpin it', also: ({ key }) => key === 'p' },
} as const satisfies KeyTable;

/** The keys of the whole panel. */
export const columnPanelKeys = { close: { keys: 'Esc', label: 'Close' } } as const satisfies KeyTable;

/** Chooses the visible columns, their order and the density, and resets them. They are remembered for the account. */
export default function GridViewPanel({ button, onClose, density, onDensity, controls }: GridViewPanelProps) {
  const panel = useAnchored<HTMLDivElement>(button, { isOpen: true, side: 'above', align: 'end' });
  const [, rerender] = useState(0);
  /** The order when the panel opened, so that a column does not jump to another place when it is shown. */
  const [order, setOrder] = useState(() => sortedIds(controls));
  const name = useId();
  useKeyHelp('Columns', columnKeys);
  useKeyHelp('Columns', columnPanelKeys);

  useEffect(() => {
    panel.current?.querySelector<HTMLElement>('input')?.focus();
    const onPointer = (event: PointerEvent): void => {
      const target = event.target instanceof Node ? event.target : null;
      if (!panel.current?.contains(target) && !button.current?.contains(target)) onClose();
    };
    document.addEventListener('pointerdown', onPointer);
    return () => document.removeEventListener('pointerdown', onPointer);
  }, [panel, button, onClose]);

  const known = new Map(controls?.columns().map((column) => [column.id, column]));
  const changed = (act: (() => void) | undefined): void => {
    act?.();
    rerender((count) => count + 1);
  };
  const move = (id: string, step: 1 | -1): void => {
    const at = order.indexOf(id);
    const other = order[at + step];
    // Hidden columns are last in the list and cannot be moved.
    if (!controls?.move(id, step) || other === undefined) return;
    const next = [...order];
    [next[at], next[at + step]] = [other, id];
    setOrder(next);
  };
  const onKey = (event: KeyboardEvent, id: string): void => {
    const isBack = event.key === 'ArrowUp' || event.key === 'ArrowLeft';
    const isUsed = dispatchKey(columnKeys, event, {
      row: () => {
        const boxes = [...(panel.current?.querySelectorAll<HTMLElement>('[data-column] input') ?? [])];
        boxes[order.indexOf(id) + (isBack ? -1 : 1)]?.focus();
      },
      move: () => move(id, isBack ? -1 : 1),
      width: () => controls?.widen(id, isBack ? -20 : 20),
      pin: () => changed(() => controls?.pin(id, !known.get(id)?.isPinned)),
    });
    if (!isUsed) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the handlers only close it on Escape and on blur
    <div
      ref={panel}
      popover="manual"
      role="dialog"
      aria-label={density ? 'Columns and density' : 'Columns of the sheet'}
      data-owns-escape
      className="floating flex max-h-[min(34rem,85dvh)] w-80 flex-col p-3"
      onKeyDown={(event) => {
        const isUsed = dispatchKey(columnPanelKeys, event, {
          close: () => {
            onClose();
            button.current?.focus();
          },
        });
        if (!isUsed) return;
        event.preventDefault();
        event.stopPropagation();
      }}
      onBlur={(event) => {
        if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) onClose();
      }}
    >
      {density && (
        <fieldset className="mb-3 flex gap-4">
          <legend className="mb-1 text-xs font-semibold text-muted">Density</legend>
          {densities.map(({ value, label }) => (
            <label key={value} className="flex items-center gap-1.5">
              <input
                type="radio"
                name={name}
                className="accent-primary"
                checked={density === value}
                onChange={() => onDensity?.(value)}
              />
              {label}
            </label>
          ))}
        </fieldset>
      )}
      <div role="group" aria-label="Columns" className="flex min-h-0 flex-col">
        <p className="mb-1 text-xs font-semibold text-muted">Columns</p>
        <div className="overflow-y-auto">
          {order.map((id) => {
            const column = known.get(id);
            if (!column) return null;
            const { label, isShown, isPinned } = column;
            return (
              // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only watches the keys of the checkbox inside
              <div key={id} data-column className="flex h-7 items-center gap-1" onKeyDown={(event) => onKey(event, id)}>
                <Checkbox
                  className="min-w-0 flex-1"
                  label={label}
                  checked={isShown}
                  onCheckedChange={(next) => changed(() => controls?.show(id, next))}
                />
                {isShown && (
                  <>
                    <IconButton
                      size="sm"
                      tabIndex={-1}
                      label={isPinned ? `Unpin ${label}` : `Pin ${label} to the left`}
                      icon={<Pin size={13} aria-hidden className={isPinned ? 'text-primary' : 'text-muted'} />}
                      onClick={() => changed(() => controls?.pin(id, !isPinned))}
                    />
                    <IconButton
                      size="sm"
                      tabIndex={-1}
                      label={`Move ${label} to the left`}
                      icon={<ArrowUp size={13} aria-hidden />}
                      onClick={() => move(id, -1)}
                    />
                    <IconButton
                      size="sm"
                      tabIndex={-1}
                      label={`Move ${label} to the right`}
                      icon={<ArrowDown size={13} aria-hidden />}
                      onClick={() => move(id, 1)}
                    />
                  </>
                )}
              </div>
            );
          })}
        </div>
      </div>
      <Button
        size="sm"
        className="mt-3 w-full shrink-0"
        onClick={() => {
          controls?.reset();
          onDensity?.('comfortable');
          setOrder(sortedIds(controls));
        }}
      >
        Reset view
      </Button>
    </div>
  );
}

/** The ids of the columns: first the visible ones, then the hidden ones. */
function sortedIds(controls: GridViewPanelProps['controls']): string[] {
  const columns = controls?.columns() ?? [];
  return [...columns.filter(({ isShown }) => isShown), ...columns.filter(({ isShown }) => !isShown)].map(
    ({ id }) => id,
  );
}
