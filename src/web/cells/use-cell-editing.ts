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
import { placeOf, type Unsaved } from './cell-kit.ts';

export interface CellLayerProps<Row> {
  grid: RefObject<GridHandle<Row> | null>;
  rows: readonly Row[] | undefined;
  columns: readonly string[];
  /** A new object each time a cell is to be edited. */
  asked: { id: string; column: string; typed: string };
  onUnsaved: (unsaved: ReadonlyMap<string, Unsaved>) => void;
}
export type CellLayer<Row> = ComponentType<CellLayerProps<Row>>;

interface CellEditingParts<Row> {
  grid: RefObject<GridHandle<Row> | null>;
  rows: readonly Row[] | undefined;
  /** Constants outside the component. */
  columns: readonly string[] | undefined;
  load: (() => Promise<CellLayer<Row>>) | undefined;
}

/** Cells of a list that are edited in their place; the editor is loaded when somebody is about to use the table. */
export function useCellEditing<Row extends { id: string }>({
  grid,
  rows,
  columns,
  load,
}: CellEditingParts<Row>): {
  editing: GridEditing<Row> | undefined;
  layer: ReactNode;
  /** The table has been entered. */
  onNear: () => void;
} {
  const [shown, setShown] = useState<{ Layer: CellLayer<Row>; asked: CellLayerProps<Row>['asked'] }>();
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
    // It is asked for again with the next cell.
    loading.current?.catch(() => {
      loading.current = undefined;
    });
  }, [load]);
  const onEdit = useCallback(
    (row: Row, column: string) => {
      onNear();
      const typing = holdTyped();
      void loading.current?.then(
        (Layer) => {
          const typed = typing.end();
          // In one go: no key falls between.
          if (isMounted.current && typed !== undefined) {
            flushSync(() => setShown({ Layer, asked: { id: row.id, column, typed } }));
          }
        },
        () => typing.end(),
      );
    },
    [onNear],
  );
  const editing = useMemo<GridEditing<Row> | undefined>(
    () =>
      columns && {
        columns,
        onEdit,
        problemOf: (id, column) => unsaved.get(placeOf(id, column))?.message,
      },
    [columns, onEdit, unsaved],
  );
  const layer =
    shown && columns
      ? createElement(shown.Layer, { grid, rows, columns, asked: shown.asked, onUnsaved: setUnsaved })
      : null;
  return { editing, layer, onNear };
}

const nothing: ReadonlyMap<string, Unsaved> = new Map();

/** What is typed before the editor is there is meant for it, and is no command. Escape calls it off: undefined then. */
function holdTyped(): { end: () => string | undefined } {
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
