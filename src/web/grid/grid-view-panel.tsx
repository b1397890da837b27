import { useEffect, useId, useState, type KeyboardEvent, type RefObject } from 'react';
import { ArrowDown, ArrowUp, Pin } from 'lucide-react';
import { useAnchored } from '../ui/anchored.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import { dispatchKey, useKeyHelp, type KeyTable } from '../ui/key-table.ts';
import type { TableControls } from './ag-table.tsx';
import type { Density } from './grid-settings.ts';

export interface GridViewPanelProps {
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
  density: Density;
  onDensity: (density: Density) => void;
  controls: TableControls | undefined;
}

const densities: { value: Density; label: string }[] = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
];

/** On a column of the list (docs/keyboard.md §3). */
export const columnKeys = {
  row: { keys: ['↑', '↓'], label: 'Column above or below' },
  toggle: { keys: 'Space', label: 'Show or hide the column', by: 'browser' },
  move: { keys: ['Alt+↑', 'Alt+↓'], label: 'Move the column' },
  width: { keys: ['Alt+←', 'Alt+→'], label: 'Make the column narrower or wider' },
  pin: { keys: 'P', label: 'Keep the column in sight at the left, or not', also: ({ key }) => key === 'p' },
} as const satisfies KeyTable;

/** Anywhere in the panel. */
export const columnPanelKeys = { close: { keys: 'Esc', label: 'Close' } } as const satisfies KeyTable;

/** Which columns, in which order, how dense, and back to the beginning: remembered for the account. */
export default function GridViewPanel({ button, onClose, density, onDensity, controls }: GridViewPanelProps) {
  const panel = useAnchored<HTMLDivElement>(button, { isOpen: true, side: 'above', align: 'end' });
  const [, draw] = useState(0);
  /** As they were when the panel opened: a column that is shown now does not jump away under the hand. */
  const [order, setOrder] = useState(() => inOrder(controls));
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
    draw((count) => count + 1);
  };
  const move = (id: string, step: 1 | -1): void => {
    const at = order.indexOf(id);
    const other = order[at + step];
    // Hidden columns come last in the list and have no place among the others.
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
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- closes itself on Escape and on leaving
    <div
      ref={panel}
      popover="manual"
      role="dialog"
      aria-label="Columns and density"
      data-owns-escape
      className="floating flex max-h-[min(34rem,85dvh)] w-72 flex-col p-3"
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
      <fieldset className="flex gap-4">
        <legend className="mb-1 text-xs font-semibold text-muted">Density</legend>
        {densities.map(({ value, label }) => (
          <label key={value} className="flex items-center gap-1.5">
            <input
              type="radio"
              name={name}
              className="accent-primary"
              checked={density === value}
              onChange={() => onDensity(value)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <div role="group" aria-label="Columns" className="mt-3 flex min-h-0 flex-col">
        <p className="mb-1 text-xs font-semibold text-muted">Columns</p>
        <div className="overflow-y-auto">
          {order.map((id) => {
            const column = known.get(id);
            if (!column) return null;
            const { label, isShown, isPinned } = column;
            return (
              // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- only watches the keys of its box
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
                      label={isPinned ? `Do not keep ${label} in sight` : `Keep ${label} in sight`}
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
          onDensity('comfortable');
          setOrder(inOrder(controls));
        }}
      >
        Reset view
      </Button>
    </div>
  );
}

/** What is shown, then the rest. */
function inOrder(controls: TableControls | undefined): string[] {
  const columns = controls?.columns() ?? [];
  return [...columns.filter(({ isShown }) => isShown), ...columns.filter(({ isShown }) => !isShown)].map(
    ({ id }) => id,
  );
}
