import { useCallback, useEffect, useLayoutEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { useQueryClient } from '@tanstack/react-query';
import { CellEditor, type Move } from './cell-editor.tsx';
import { cellKeyOf, type CellKit, type CellValue } from '../../kit/cells/cell-kit.ts';
import { CellSaver } from '../../kit/cells/cell-saver.ts';
import type { CellLayerProps } from '../../kit/cells/use-cell-editing.ts';
import { useLatest } from '../../kit/ui/use-latest.ts';

interface CellPosition {
  id: string;
  column: string;
  typed: string;
  /** The row as the user saw it, where it may have been loaded again before the editor was shown. */
  seen?: CellLayerProps<unknown>['request']['seen'];
}

/** Shows the editor over a cell of a list, saves what is typed and moves to the next cell. */
export function CellLayer<Row extends { id: string; version: number }>({
  kit,
  grid,
  rows,
  columns,
  request,
  onUnsaved,
}: CellLayerProps<Row> & { kit: CellKit<Row> }) {
  const client = useQueryClient();
  const [position, setPosition] = useState<CellPosition | undefined>(request);
  const [lastRequest, setLastRequest] = useState(request);
  if (lastRequest !== request) {
    setLastRequest(request);
    setPosition(request);
  }
  const latestPosition = useLatest(position);
  const [saver] = useState(() => new CellSaver<Row>(client, kit));
  useLayoutEffect(() => {
    saver.listen((of) => {
      onUnsaved(new Map(saver.unsaved));
      // If saving failed and the user is still in the table and edits no other cell, reopen the editor with the typed value.
      const isInTable = document.activeElement === document.body || document.activeElement?.closest('.cd-grid');
      if (of && !latestPosition.current && isInTable) setPosition({ id: of.row.id, column: of.column, typed: '' });
    });
  });
  useEffect(() => () => saver.setEditing(false), [saver]);
  const isOpen = position !== undefined;
  useEffect(() => saver.setEditing(isOpen), [saver, isOpen]);

  const frame = useFrameOf(position, grid);
  const listed = useMemo(() => {
    const row = position && rows?.find(({ id }) => id === position.id);
    // What was typed over an older value is sent with the older version: it must not replace what the user has not seen.
    return row && position?.seen && position.seen.version !== row.version ? { ...row, ...position.seen } : row;
  }, [rows, position]);
  const [lastRow, setLastRow] = useState<Row>();
  // A row that leaves the page while one types, because it was deleted elsewhere for example, keeps its editor. A closed editor
  // does not open again without its row: it would lie over another one.
  const kept = position && lastRow?.id === position.id ? lastRow : undefined;
  const row = listed ?? kept;
  if (row !== lastRow) setLastRow(row);
  const close = useCallback(
    (goBack: boolean) => {
      const { current: at } = latestPosition;
      flushSync(() => setPosition(undefined));
      if (at && goBack) grid.current?.focusRow(at.id, at.column);
    },
    [grid, latestPosition],
  );
  // The row left the page before its editor was shown.
  if (position !== undefined && row === undefined && rows !== undefined) setPosition(undefined);

  if (!position || !row) return null;
  const { id, column } = position;
  const unsaved = saver.unsaved.get(cellKeyOf(id, column));

  const goTo = (move: Move): void => {
    if (move === 'away') return close(false);
    const next = move === 'stay' || !listed ? undefined : neighbour(move);
    if (!next) return close(true);
    flushSync(() => setPosition({ ...next, typed: '' }));
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
      saver.setUnsaved(row, column, undefined);
      goTo(move);
      return undefined;
    }
    const go = (): undefined => {
      void saver.save({ row, column, before: kit.valueOf(row, column), value });
      goTo(move);
      return undefined;
    };
    const judge = (wrong: string | undefined): Promise<string | undefined> | string | undefined => {
      if (wrong !== undefined) {
        // The user has moved elsewhere: keep the invalid value in its cell, with the reason.
        if (move !== 'away') return wrong;
        saver.setUnsaved(row, column, { value, message: wrong });
        goTo(move);
        return undefined;
      }
      const asking = kit.ask?.(row, column, value);
      return asking ? asking.then((yes) => (yes ? go() : '')) : go();
    };
    const checked = kit.check(row, column, value);
    return checked instanceof Promise ? checked.then(judge) : judge(checked);
  };
  return (
    <CellEditor
      key={`${id} ${column} ${position.typed}`}
      field={kit.fieldOf(column)}
      rowName={kit.nameOf(row)}
      start={unsaved?.value ?? kit.valueOf(row, column)}
      message={unsaved?.message}
      note={
        listed || !rows
          ? kit.noteOf?.(row, column)
          : `${kit.nameOf(row)} is no longer on this page. Enter saves, Esc leaves it.`
      }
      typed={position.typed}
      frame={frame}
      onSave={onSave}
      onLeave={() => {
        saver.setUnsaved(row, column, undefined);
        close(true);
      }}
    />
  );
}

/** The position of the cell in the window. It follows scrolling, and is undefined until the cell is rendered. */
function useFrameOf<Row>(position: CellPosition | undefined, grid: CellLayerProps<Row>['grid']): DOMRect | undefined {
  const [frame, setFrame] = useState<DOMRect>();
  useLayoutEffect(() => {
    if (!position) return undefined;
    let tries = 0;
    let next = 0;
    const measure = (): void => {
      const cell = grid.current?.showCell(position.id, position.column);
      if (cell) setFrame(cell.getBoundingClientRect());
      // Rows are virtual: the cell is rendered some frames after it has been scrolled into view.
      else if (tries < 60) {
        tries += 1;
        next = requestAnimationFrame(measure);
      }
    };
    const onScroll = (): void => {
      const cell = document.querySelector(
        `.cd-grid .ag-row[row-id="${CSS.escape(position.id)}"] [col-id="${CSS.escape(position.column)}"]`,
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
  }, [position, grid]);
  return frame;
}
