import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useQueryClient } from '@tanstack/react-query';
import { CellEditor, type Move } from './cell-editor.tsx';
import { placeOf, type CellKit, type CellValue } from './cell-kit.ts';
import { CellSaver } from './cell-saver.ts';
import type { CellLayerProps } from './use-cell-editing.ts';

interface Spot {
  id: string;
  column: string;
  typed: string;
}

/** The editor over the cells of a list, and what becomes of what is typed there. */
export function CellLayer<Row extends { id: string; version: number }>({
  kit,
  grid,
  rows,
  columns,
  asked,
  onUnsaved,
}: CellLayerProps<Row> & { kit: CellKit<Row> }) {
  const client = useQueryClient();
  const [spot, setSpot] = useState<Spot | undefined>(asked);
  const [seen, setSeen] = useState(asked);
  if (seen !== asked) {
    setSeen(asked);
    setSpot(asked);
  }
  const latest = useRef({ spot });
  const [saver] = useState(() => new CellSaver<Row>(client, kit));
  useLayoutEffect(() => {
    latest.current = { spot };
    saver.listen((of) => {
      onUnsaved(new Map(saver.unsaved));
      // Where nobody edits another cell, the editor comes back with what was typed.
      const isHere = document.activeElement === document.body || document.activeElement?.closest('.cd-grid');
      if (of && !latest.current.spot && isHere) setSpot({ id: of.row.id, column: of.column, typed: '' });
    });
  });
  useEffect(() => () => saver.setEditing(false), [saver]);
  const isOpen = spot !== undefined;
  useEffect(() => saver.setEditing(isOpen), [saver, isOpen]);

  const frame = useFrameOf(spot, grid);
  const row = spot && rows?.find(({ id }) => id === spot.id);
  const close = useCallback(
    (goBack: boolean) => {
      const { spot: at } = latest.current;
      flushSync(() => setSpot(undefined));
      if (at && goBack) grid.current?.focusRow(at.id, at.column);
    },
    [grid],
  );
  // The row has gone from the page: deleted elsewhere, or another page was opened.
  const isGone = spot !== undefined && row === undefined && rows !== undefined;
  if (isGone) setSpot(undefined);

  if (!spot || !row) return null;
  const { id, column } = spot;
  const unsaved = saver.unsaved.get(placeOf(id, column));

  const goTo = (move: Move): void => {
    if (move === 'away') return close(false);
    const next = move === 'stay' ? undefined : neighbour(move);
    if (!next) return close(true);
    flushSync(() => setSpot({ ...next, typed: '' }));
    return undefined;
  };
  const neighbour = (move: Move): { id: string; column: string } | undefined => {
    const at = rows?.findIndex((item) => item.id === id) ?? -1;
    if (move === 'below' || move === 'above') {
      const beside = rows?.[at + (move === 'below' ? 1 : -1)];
      return beside && { id: beside.id, column };
    }
    const shown = (grid.current?.shownColumns() ?? []).filter((key) => columns.includes(key));
    const step = move === 'next' ? 1 : -1;
    const beside = shown[shown.indexOf(column) + step];
    if (beside !== undefined) return { id, column: beside };
    const other = rows?.[at + step];
    const edge = step === 1 ? shown[0] : shown.at(-1);
    return other && edge !== undefined ? { id: other.id, column: edge } : undefined;
  };
  const onSave = (value: CellValue, move: Move): Promise<string | undefined> | string | undefined => {
    if (kit.isSame(row, column, value)) {
      saver.keep(row, column, undefined);
      goTo(move);
      return undefined;
    }
    const wrong = kit.check(row, column, value);
    if (wrong !== undefined) {
      // Left for somewhere else it is kept in its cell.
      if (move !== 'away') return wrong;
      saver.keep(row, column, { value, message: wrong });
      goTo(move);
      return undefined;
    }
    const go = (): undefined => {
      void saver.save({ row, column, before: kit.valueOf(row, column), value });
      goTo(move);
      return undefined;
    };
    const asking = kit.ask?.(row, column, value);
    return asking ? asking.then((yes) => (yes ? go() : '')) : go();
  };
  return (
    <CellEditor
      key={`${id} ${column} ${spot.typed}`}
      field={kit.fieldOf(column)}
      of={kit.nameOf(row)}
      start={unsaved?.value ?? kit.valueOf(row, column)}
      message={unsaved?.message}
      typed={spot.typed}
      frame={frame}
      onSave={onSave}
      onLeave={() => {
        saver.keep(row, column, undefined);
        close(true);
      }}
    />
  );
}

/** Where the cell is in the window, also when the table is scrolled; undefined: not drawn yet. */
function useFrameOf<Row>(spot: Spot | undefined, grid: CellLayerProps<Row>['grid']): DOMRect | undefined {
  const [frame, setFrame] = useState<DOMRect>();
  useLayoutEffect(() => {
    if (!spot) return undefined;
    let tries = 0;
    let next = 0;
    const measure = (): void => {
      const cell = grid.current?.showCell(spot.id, spot.column);
      if (cell) setFrame(cell.getBoundingClientRect());
      // It is drawn with the next frames, once it has been scrolled into sight.
      else if (tries < 60) {
        tries += 1;
        next = requestAnimationFrame(measure);
      }
    };
    const onScroll = (): void => {
      const cell = document.querySelector(
        `.cd-grid .ag-row[row-id="${CSS.escape(spot.id)}"] [col-id="${CSS.escape(spot.column)}"]`,
      );
      if (cell) setFrame(cell.getBoundingClientRect());
    };
    measure();
    window.addEventListener('scroll', onScroll, true);
    window.addEventListener('resize', onScroll);
    return () => {
      cancelAnimationFrame(next);
      window.removeEventListener('scroll', onScroll, true);
      window.removeEventListener('resize', onScroll);
    };
  }, [spot, grid]);
  return frame;
}
