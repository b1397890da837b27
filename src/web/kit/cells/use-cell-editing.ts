import {
  createElement,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import type { GridEditing, GridHandle } from '../grid/grid-types.ts';
import { cellKeyOf, type Unsaved } from './cell-kit.ts';

/** What the editor needs of the grid's rows: they may have fewer fields than those that are edited. */
interface Identified {
  id: string;
  version?: number;
}

export interface CellLayerProps<Row> {
  grid: RefObject<GridHandle<Identified> | null>;
  rows: readonly Row[] | undefined;
  columns: readonly string[];
  /** The cell to edit, and its row as the user saw it. It is a new object for each request, also for the same cell. */
  request: { id: string; column: string; typed: string; seen: Identified };
  onUnsaved: (unsaved: ReadonlyMap<string, Unsaved>) => void;
}
export type CellLayer<Row> = ComponentType<CellLayerProps<Row>>;

interface CellEditingParts<Row> {
  grid: RefObject<GridHandle<Identified> | null>;
  rows: readonly Row[] | undefined;
  /** The editable columns. The array must be a constant outside the component. */
  columns: readonly string[] | undefined;
  load: (() => Promise<CellLayer<Row>>) | undefined;
  /** Loads what the rows need before the first of them can be edited. It must stay the same function. */
  prepare?: () => Promise<void>;
}

/** Inline editing for the cells of a list. The editor is loaded when the user is about to use the table. */
export function useCellEditing<Row extends Identified>({
  grid,
  rows,
  columns,
  load,
  prepare,
}: CellEditingParts<Row>): {
  editing: GridEditing<Identified> | undefined;
  layer: ReactNode;
  /** Call it when the focus or the pointer enters the table. */
  onNear: () => void;
} {
  const [shown, setShown] = useState<{ Layer: CellLayer<Row>; request: CellLayerProps<Row>['request'] }>();
  const [unsaved, setUnsaved] = useState<ReadonlyMap<string, Unsaved>>(nothing);
  const loading = useRef<Promise<CellLayer<Row>>>(undefined);
  const isMounted = useRef(false);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);

  const onNear = useCallback(() => {
    if (!loading.current) loading.current = load?.();
    // After a failure the next cell tries to load it again.
    loading.current?.catch(() => {
      loading.current = undefined;
    });
  }, [load]);
  const onEdit = useCallback(
    (row: Identified, column: string) => {
      onNear();
      const typing = bufferTyping();
      void Promise.all([loading.current, prepare?.()]).then(
        ([Layer]) => {
          const typed = typing.end();
          // flushSync shows the editor before the next key arrives, so that no key is lost.
          if (Layer && isMounted.current && typed !== undefined) {
            flushSync(() => setShown({ Layer, request: { id: row.id, column, typed, seen: row } }));
          }
        },
        () => typing.end(),
      );
    },
    [onNear, prepare],
  );
  const editing = useMemo<GridEditing<Identified> | undefined>(
    () =>
      columns && {
        columns,
        onEdit,
        problemOf: (id, column) => unsaved.get(cellKeyOf(id, column))?.message,
      },
    [columns, onEdit, unsaved],
  );
  const layer =
    shown && columns
      ? createElement(shown.Layer, { grid, rows, columns, request: shown.request, onUnsaved: setUnsaved })
      : null;
  return { editing, layer, onNear };
}

const nothing: ReadonlyMap<string, Unsaved> = new Map();

/**
 * Collects keys typed until the editor is shown: they are text for the editor, not commands. `end` returns the text, or
 * undefined if Escape cancelled the edit.
 */
function bufferTyping(): { end: () => string | undefined } {
  let typed: string | undefined = '';
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.altKey || event.metaKey || (event.key.length > 1 && event.key !== 'Escape')) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === 'Escape') typed = undefined;
    else if (typed !== undefined) typed += event.key;
  };
  window.addEventListener('keydown', onKey, true);
  return {
    end: () => {
      window.removeEventListener('keydown', onKey, true);
      return typed;
    },
  };
}
