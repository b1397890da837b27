import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { nameKey } from '../../../shared/calc/names.ts';
import { mostSheetRows } from '../../../shared/contract/challan-sheet.ts';
import { challans } from '../../api/challans.ts';
import { challanSheetFields, type SheetColumn } from '../../../shared/sheet/challan-sheet-fields.ts';
import { tsvOf } from '../../../shared/sheet/delimited-text.ts';
import { recognise, type Mapping } from '../../../shared/sheet/headings.ts';
import {
  clearArea,
  deleteRows,
  fillArea,
  fillDown,
  fillRight,
  pasteCells,
  pasteTable,
  remap,
  replaceText,
  sheetOf,
  textsOf,
  usedRows,
  type Cells,
  type Pasted,
  type Sheet,
  type SheetRow,
} from '../../../shared/sheet/sheet.ts';
import { isBlankRow, squared, type Table } from '../../../shared/sheet/table-cells.ts';
import { call } from '../../api/client.ts';
import { notify } from '../../feedback/toast.ts';
import { today } from '../../forms/fields.tsx';
import type { GridArea, SheetGridCommands, SheetGridHandle } from '../../grid/sheet-grid-types.ts';
import type { Draft } from '../../session/account-storage.ts';
import { clipboardOf, readClipboard } from '../../sheet/clipboard.ts';
import { shownColumns, sheetLabels } from './sheet-columns.ts';
import {
  readSheetDraft,
  readStarts,
  rememberColumns,
  rememberedColumns,
  writeSheetDraft,
  type SheetDraft,
} from './sheet-memory.ts';
import { SheetStore } from './sheet-store.ts';
import type { UnknownName } from './sheet-summary.ts';

const rowsText = (count: number): string => (count === 1 ? '1 row' : `${count.toLocaleString('en-IN')} rows`);
const fullSheet = `a sheet has ${mostSheetRows.toLocaleString('en-IN')} rows`;
const columns = shownColumns;

/** The sheet of the screen, with what its table asks of it. */
export function useSheet(grid: RefObject<SheetGridHandle | null>) {
  const [store] = useState(
    () =>
      new SheetStore([], {
        today: today(),
        starts: readStarts(),
        ask: async (rows) => (await call(challans.calls.checkSheet, { body: { rows } })).data,
        redraw: (keys) => grid.current?.redraw(keys),
      }),
  );
  const snapshot = useSyncExternalStore(store.subscribe, store.snapshot);
  useEffect(() => () => store.stop(), [store]);

  const commands = useMemo(() => commandsOf(store), [store]);
  return {
    store,
    snapshot,
    commands,
    /** A file's rows go below what is there. */
    takeTable: (table: Table) => {
      const area = takeTable(store, squared(table), grid.current?.area().top ?? 0, true);
      if (area) grid.current?.select(area);
    },
    setColumns: (next: readonly (SheetColumn | null)[]) => {
      const { source } = store.sheet;
      if (source?.headings.some((heading) => heading !== '')) rememberColumns(source.headings, next);
      store.edit(remap(store.sheet, next, store.today), 'Change columns');
    },
    mapTo: (name: UnknownName, to: { text: string; contactNumber?: string | undefined }) => mapTo(store, name, to),
  };
}

function commandsOf(store: SheetStore): SheetGridCommands {
  const { today: day, read } = store;
  return {
    write: (row, column, text) => {
      const at = { top: row, bottom: row, left: column, right: column };
      const name = columns[column];
      store.edit(
        fillArea(store.sheet, at, columns, text, read, day),
        `Type into ${name ? sheetLabels[name] : 'a cell'}`,
      );
    },
    take: (rowKey, column, { text, also }) => {
      const name = columns[column];
      if (!name) return;
      const isMeant = ({ key }: SheetRow): boolean => key === rowKey;
      store.edit(replaceText(store.sheet, isMeant, { ...also, [name]: text }), `Type into ${sheetLabels[name]}`);
    },
    fill: (area, text) => store.edit(fillArea(store.sheet, area, columns, text, read, day), 'Fill'),
    clear: (area) => store.edit(clearArea(store.sheet, area, columns, read), 'Clear'),
    fillDown: (area) => store.edit(fillDown(store.sheet, area, columns, read), 'Fill down'),
    fillRight: (area) => store.edit(fillRight(store.sheet, area, columns, read, day), 'Fill right'),
    deleteRows: (top, bottom) =>
      store.edit(deleteRows(store.sheet, top, bottom), `Delete ${rowsText(bottom - top + 1)}`),
    copy: (area) => tsvOf(textsOf(store.sheet, area, columns, read)),
    paste: (area, data) => {
      const table = readClipboard(clipboardOf(data));
      if (!table) {
        notify.info('There is no text on the clipboard.');
        return undefined;
      }
      return takeTable(store, table, area.top, false, area);
    },
    undo: () => store.undo(),
    redo: () => store.redo(),
    findError: (from, step) => store.findError(from, step),
  };
}

/** With headings each column goes to its field, without them from the cell in focus on; a file always has rows. */
function takeTable(
  store: SheetStore,
  table: Table,
  from: number,
  isFile: boolean,
  area?: GridArea,
): GridArea | undefined {
  const found: Mapping<SheetColumn> = recognise(table, challanSheetFields);
  const { sheet, today: day } = store;
  let pasted: Pasted;
  if (area && !found.hasHeadings) pasted = pasteCells(sheet, area, columns, table, day);
  else {
    const mapping = rememberedColumns(found);
    const rows = table.slice(mapping.firstRow).filter((row) => !isBlankRow(row));
    if (rows.length === 0) {
      notify.warning(isFile ? 'The file has no rows below its headings.' : 'There are no rows below the headings.');
      return undefined;
    }
    pasted = pasteTable(sheet, from, { ...mapping, rows }, day);
    pasted.area.right = columns.length - 1;
  }
  // With its new rows in the table, so that all that was pasted can be selected.
  flushSync(() => store.edit(pasted.sheet, `Paste ${rowsText(pasted.area.bottom - pasted.area.top + 1)}`));
  if (pasted.left > 0) {
    notify.warning(`${rowsText(pasted.left)} did not fit: ${fullSheet}.`);
  }
  return pasted.area;
}

const nameColumns: Readonly<Record<UnknownName['kind'], readonly SheetColumn[]>> = {
  vehicle: ['vehicleNo'],
  owner: ['ownerName', 'discounter'],
  tag: ['tag'],
  petrolPump: ['petrolPump'],
};

function mapTo(
  store: SheetStore,
  { kind, text }: UnknownName,
  to: { text: string; contactNumber?: string | undefined },
): void {
  let { sheet } = store;
  for (const column of nameColumns[kind]) {
    const isMeant = (row: SheetRow): boolean => nameKey(store.read(row, column)) === nameKey(text);
    const isNamed = column === 'ownerName' && to.contactNumber !== undefined;
    sheet = replaceText(sheet, isMeant, {
      [column]: to.text,
      ...(isNamed && { ownerContactNumber: to.contactNumber }),
    });
  }
  store.edit(sheet, `Map ${text} to ${to.text}`);
}

const draftDelayMs = 500;

/** Puts rows into the sheet that is open; undefined: none is. */
let giveBackToOpenSheet: ((rows: readonly Cells[]) => void) | undefined;

/** Rows whose challans were taken back: into the open sheet, else into the draft, where the next visit finds them. */
export function giveBack(rows: readonly Cells[]): void {
  if (giveBackToOpenSheet) return giveBackToOpenSheet(rows);
  const kept = readSheetDraft()?.value;
  writeSheetDraft({ ...kept, rows: [...rows, ...(kept?.rows ?? [])] });
}

/** What was typed is kept on this device while one types, and offered at the next visit with its time. */
export function useSheetDraft(store: SheetStore, sheet: Sheet) {
  const [offer, setOffer] = useState<Draft<SheetDraft> | undefined>(readSheetDraft);
  const commitKey = useRef<string>(undefined);
  const offered = useRef(offer);
  /** The sheet as storage has it. */
  const kept = useRef(sheet);
  const write = useRef(() => {
    kept.current = store.sheet;
    const rows = [...(offered.current?.value.rows ?? []), ...store.draft()];
    writeSheetDraft({ rows, commitKey: offered.current?.value.commitKey ?? commitKey.current });
  });
  useEffect(() => {
    if (kept.current === sheet) return undefined;
    const save = (): void => {
      if (kept.current !== store.sheet) write.current();
    };
    const timer = setTimeout(save, draftDelayMs);
    window.addEventListener('pagehide', save);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', save);
    };
  }, [store, sheet]);
  // Left within the delay.
  useEffect(
    () => () => {
      if (kept.current !== store.sheet) write.current();
    },
    [store],
  );
  const take = useCallback((next: Draft<SheetDraft> | undefined): void => {
    offered.current = next;
    setOffer(next);
  }, []);
  /** Before the rows that are there, as many as there is room for; the others are offered, before those of `next`. */
  const put = useCallback(
    (rows: readonly Cells[], next: { savedAt: string; value?: SheetDraft }): void => {
      const own = usedRows(store.sheet).map(({ cells }) => cells);
      const room = mostSheetRows - own.length;
      if (room > 0) store.begin(sheetOf([...rows.slice(0, room), ...own]));
      const left = rows.slice(room);
      const waiting = [...left, ...(next.value?.rows ?? [])];
      take(waiting.length === 0 ? undefined : { ...next, value: { ...next.value, rows: waiting } });
      if (left.length > 0) {
        const [stay, them] = left.length === 1 ? ['stays', 'it'] : ['stay', 'them'];
        notify.warning(
          `${rowsText(left.length)} ${stay} in the draft: ${fullSheet}. Restore ${them} when the others are created.`,
        );
      }
    },
    [store, take],
  );
  useEffect(() => {
    giveBackToOpenSheet = (rows) => {
      put(rows, offered.current ?? { savedAt: new Date().toISOString() });
      write.current();
      store.askAgain('twins');
    };
    return () => {
      giveBackToOpenSheet = undefined;
    };
  }, [store, put]);
  return {
    offer,
    restore: () => {
      if (!offer) return;
      const { rows, commitKey: key } = offer.value;
      put(rows, { savedAt: offer.savedAt });
      commitKey.current = key;
      kept.current = store.sheet;
    },
    discard: () => {
      take(undefined);
      write.current();
    },
    commitKey: () => commitKey.current,
    keepKey: (key: string | undefined) => {
      commitKey.current = key;
      write.current();
    },
  };
}
