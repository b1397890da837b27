import { useEffect, useId, useRef, useState } from 'react';
import { SlidersHorizontal } from 'lucide-react';
import { useAnchored } from '../ui/anchored.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Checkbox } from '../ui/checkbox.tsx';
import type { TableControls } from './ag-table.tsx';
import type { Density } from './grid-settings.ts';

interface GridViewMenuProps {
  density: Density;
  onDensity: (density: Density) => void;
  controls: TableControls | undefined;
}

const densities: { value: Density; label: string }[] = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
];

/** Which columns, how dense, and back to the beginning: remembered for the account. */
export function GridViewMenu({ density, onDensity, controls }: GridViewMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const [, draw] = useState(0);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useAnchored<HTMLDivElement>(button, { isOpen, side: 'above', align: 'end' });
  const name = useId();

  useEffect(() => {
    if (!isOpen) return undefined;
    panel.current?.querySelector<HTMLElement>('input')?.focus();
    const onPointer = (event: PointerEvent): void => {
      const target = event.target instanceof Node ? event.target : null;
      if (!panel.current?.contains(target) && !button.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointer);
    return () => document.removeEventListener('pointerdown', onPointer);
  }, [isOpen, panel]);

  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };

  return (
    <span className="relative">
      <IconButton
        ref={button}
        size="sm"
        label="Columns and density"
        icon={<SlidersHorizontal size={15} aria-hidden />}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={() => setOpen((open) => !open)}
      />
      {isOpen && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- closes itself on Escape and on leaving
        <div
          ref={panel}
          popover="manual"
          role="dialog"
          aria-label="Columns and density"
          data-owns-escape
          className="floating w-56 p-3"
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            close();
          }}
          onBlur={(event) => {
            if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) setOpen(false);
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
          <fieldset className="mt-3 grid gap-1.5">
            <legend className="mb-1 text-xs font-semibold text-muted">Columns</legend>
            {controls?.columns().map(({ id, label, isShown }) => (
              <Checkbox
                key={id}
                label={label}
                checked={isShown}
                onCheckedChange={(next) => {
                  controls.show(id, next);
                  draw((count) => count + 1);
                }}
              />
            ))}
          </fieldset>
          <Button
            size="sm"
            className="mt-3 w-full"
            onClick={() => {
              controls?.reset();
              onDensity('comfortable');
              draw((count) => count + 1);
            }}
          >
            Reset view
          </Button>
        </div>
      )}
    </span>
  );
}
