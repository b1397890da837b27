import {
  Suspense,
  useEffect,
  useLayoutEffect,
  useState,
  useSyncExternalStore,
  type ReactNode,
  type RefObject,
} from 'react';
import { PanelRight, X } from 'lucide-react';
import { buttonOf, commandTable, useCommands } from '../actions/registry.ts';
import { readPreference, writePreference } from '../api/account-storage.ts';
import { notify } from '../feedback/toast.ts';
import type { GridHandle } from '../grid/grid-types.ts';
import { IconButton } from '../ui/button.tsx';
import { besideChoice, besideList, DialogContext, DialogPlace, type DialogProps } from '../ui/dialog-stack.ts';
import { Spinner } from '../ui/spinner.tsx';

type Grid<Row> = RefObject<GridHandle<Row> | null>;

const listeners = new Set<() => void>();
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
function choose(isOn: boolean): void {
  writePreference(besideChoice, isOn);
  for (const listener of listeners) listener();
}
const useChoice = (): boolean => useSyncExternalStore(subscribe, () => readPreference(besideChoice, false));

/** In a narrower window the table would have too little room: there the details open as a dialog. */
const wide = window.matchMedia('(min-width: 1200px)');
const onWidth = (listener: () => void): (() => void) => {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
};
const useIsWide = (): boolean => useSyncExternalStore(onWidth, () => wide.matches);

const panelId = besideChoice;
const panel = (): HTMLElement | null => document.getElementById(panelId);

export const besideCommands = commandTable('Details beside the list', {
  toggle: { id: 'beside.toggle', label: 'Details Beside the List', keys: 'I', words: 'panel preview' },
  move: {
    id: 'beside.move',
    label: 'Go into the details beside the list, or back to the table',
    keys: 'Alt+I',
    inPalette: false,
  },
});

interface ButtonProps<Row> {
  grid: Grid<Row>;
  /** Opens the details as a dialog. */
  onOpen: (row: Row) => void;
}

function ToggleButton<Row>({ grid, onOpen }: ButtonProps<Row>) {
  const isOn = useChoice();
  const isWide = useIsWide();
  const toTable = (): void => grid.current?.focusFirstRow();
  const { toggle } = useCommands(besideCommands, {
    toggle: () => {
      if (isWide) {
        choose(!isOn);
        return;
      }
      const row = grid.current?.focusedRow();
      if (row) onOpen(row);
      else notify.info('Choose a row in the table first');
    },
    move: {
      disabledReason: isOn && isWide ? undefined : 'Press I to show the details beside the list first.',
      run: () => {
        if (panel()?.contains(document.activeElement)) toTable();
        else panel()?.focus();
      },
    },
  });
  const { keys, ...button } = buttonOf(toggle);
  return (
    <IconButton
      {...button}
      keys={keys}
      label={toggle.label}
      aria-pressed={isOn && isWide}
      icon={<PanelRight size={16} aria-hidden />}
    />
  );
}

interface PanelProps<Row> {
  grid: Grid<Row>;
  rows: readonly Row[] | undefined;
  /** The dialog of the row's details: here it is shown in the panel, without its buttons, which the row has too. */
  render: (row: Row) => ReactNode;
}

export type BesideProps<Row> = ButtonProps<Row> | PanelProps<Row>;

export default function Beside<Row extends { id: string }>(props: BesideProps<Row>) {
  const isOn = useChoice();
  const isShown = useIsWide() && isOn;
  if (!('rows' in props)) return <ToggleButton {...props} />;
  return isShown && <Panel {...props} />;
}

/** While an arrow key is held nothing is loaded: the details follow when the focus stays on a row for so long. */
const settleMs = 150;

function Panel<Row extends { id: string }>({ grid, rows, render }: PanelProps<Row>) {
  const [id, setId] = useState(() => grid.current?.focusedRow()?.id);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const row = grid.current?.activeRow();
        if (row) setId(row.id);
      }, settleMs);
    };
    document.addEventListener('focusin', follow);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('focusin', follow);
    };
  }, [grid]);
  // Else the focus would be lost with the panel.
  useLayoutEffect(
    () => () => {
      if (panel()?.contains(document.activeElement)) grid.current?.focusFirstRow();
    },
    [grid],
  );
  const row = rows?.find((one) => one.id === id);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape leaves it
    <section
      id={panelId}
      aria-label="Details beside the list"
      tabIndex={-1}
      data-print="hide"
      className="flex w-[24vw] max-w-105 min-w-80 shrink-0 flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-card"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        grid.current?.focusFirstRow();
      }}
    >
      {row ? (
        <Suspense fallback={loading}>
          <DialogPlace value={InPanel}>{render(row)}</DialogPlace>
        </Suspense>
      ) : (
        <p className="m-auto px-6 text-center text-muted">Go to a row of the table to see its details here.</p>
      )}
    </section>
  );
}

const loading = (
  <div className="m-auto">
    <Spinner label="Loading details" />
  </div>
);

/** The content of a dialog in the panel. What it opens is a dialog again, and its keys stay those of the list. */
function InPanel({ title, children }: DialogProps) {
  return (
    <DialogPlace value={undefined}>
      <DialogContext value={besideList}>
        <header className="flex items-center gap-3 border-b border-line py-1 pr-2 pl-4">
          <h2 className="min-w-0 flex-1 text-sm font-semibold break-words">{title}</h2>
          <IconButton
            label="Hide the details"
            keys="I"
            icon={<X size={16} aria-hidden />}
            onClick={() => choose(false)}
          />
        </header>
        {/* One column, whatever the width of the window. */}
        <div className="min-h-0 flex-1 overflow-y-auto px-4 py-4 [&_[role=group]]:grid-cols-1! [&_[role=group]>dl]:grid-cols-2!">
          {children}
        </div>
      </DialogContext>
    </DialogPlace>
  );
}
