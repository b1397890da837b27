import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { countText, formatCount } from '../../../../shared/calc/count-text.ts';
import { nameKey } from '../../../../shared/calc/keys.ts';
import { mostSheetRows } from '../../../../shared/contract/challan-sheet.ts';
import { challanSheet } from '../../../resources/challan-sheet.ts';
import { challanSheetFields, valueKindOf, type SheetColumn } from '../../../../shared/sheet/challan-sheet-fields.ts';
import { dayFirst, monthFirstDoubt, monthFirstExample } from '../../../../shared/reading/day-order.ts';
import { tsvOf } from '../../../../shared/sheet/delimited-text.ts';
import { recognise, type Mapping } from '../../../../shared/sheet/headings.ts';
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
} from '../../../../shared/sheet/sheet.ts';
import { fieldsInDoubt } from '../../../../shared/sheet/unused-columns.ts';
import { filledDown, isBlankRow, isShared, squared } from '../../../../shared/sheet/table-cells.ts';
import { hiddenRowsText, rowsTooLong, tooLongReason, tooLongText } from '../../../../shared/reading/tables.ts';
import { call } from '../../../kit/api/client.ts';
import { confirm } from '../../../kit/feedback/confirm.tsx';
import { notify } from '../../../kit/feedback/toast.ts';
import { useRemembered } from '../form/remembered.ts';
import { today } from '../../../kit/forms/day-field.tsx';
import type { GridArea, SheetGridCommands, SheetGridHandle } from '../../../kit/grid/sheet-grid-types.ts';
import type { Draft } from '../../../kit/api/account-storage.ts';
import { clipboardOf, readClipboard, type PastedTable } from '../../../kit/sheet/clipboard.ts';
import { fieldOf, sheetLabels } from './sheet-columns.ts';
import {
  readSheetDraft,
  readStarts,
  rememberColumns,
  rememberedColumns,
  startingFields,
  writeSheetDraft,
  type SheetDraft,
} from './sheet-memory.ts';
import { SheetStore } from './sheet-store.ts';
import type { UnknownName } from './sheet-summary.ts';

const fullSheet = `A sheet has at most ${formatCount(mostSheetRows)} rows`;

/** The sheet of the screen, with the commands that its table calls. */
export function useSheet(grid: RefObject<SheetGridHandle | null>) {
  const [store] = useState(
    () =>
      new SheetStore([], {
        today: today(),
        starts: readStarts(),
        ask: async (rows) => (await call(challanSheet.calls.checkSheet, { body: { rows } })).data,
        redraw: (keys) => grid.current?.redraw(keys),
      }),
  );
  const snapshot = useSyncExternalStore(store.subscribe, store.snapshot);
  useEffect(() => () => store.stop(), [store]);
  const isRememberedKnown = useRemembered();
  useEffect(() => {
    if (isRememberedKnown) store.setStarts(readStarts());
  }, [store, isRememberedKnown]);

  const commands = useMemo(() => makeCommands(store, (area) => grid.current?.select(area)), [store, grid]);
  return {
    store,
    snapshot,
    commands,
    /** Adds the rows of a file below the existing rows. */
    takeTable: (read: TakenTable) => {
      const place = { from: grid.current?.area().top ?? 0, select: (area: GridArea) => grid.current?.select(area) };
      const area = takeTable(store, { ...read, table: squared(read.table) }, place);
      if (area) place.select(area);
    },
    setColumns: (next: readonly (SheetColumn | null)[]) => {
      const { source } = store.sheet;
      if (!source) return;
      const texts = source.rows.map((row) => row.texts);
      const inDoubt = fieldsInDoubt({ ...source, columns: next }, texts, startingFields, store.today);
      // Columns that are still asked for are asked for again with the next table.
      if (inDoubt.length === 0) rememberColumns(source.headings, next);
      store.edit(remap(store.sheet, { columns: next, inDoubt }, store.today), 'Change columns');
    },
    /** The user says that the other columns are not needed. */
    leaveOutColumns: () => {
      const { source } = store.sheet;
      if (!source) return;
      rememberColumns(source.headings, source.columns);
      store.edit(remap(store.sheet, { ...source, inDoubt: [] }, store.today), 'Leave out columns');
    },
    mapTo: (name: UnknownName, to: { text: string; contactNumber?: string | undefined }) => mapTo(store, name, to),
  };
}

function makeCommands(store: SheetStore, select: (area: GridArea) => void): SheetGridCommands {
  const { today: day, read } = store;
  return {
    write: (row, column, text) => {
      const at = { top: row, bottom: row, left: 0, right: 0 };
      const name = fieldOf(column);
      if (name) store.edit(fillArea(store.sheet, at, [name], text, read, day), `Type into ${sheetLabels[name]}`);
    },
    take: (rowKey, column, { text, also }) => {
      const name = fieldOf(column);
      if (!name) return;
      const isTarget = ({ key }: SheetRow): boolean => key === rowKey;
      store.edit(replaceText(store.sheet, isTarget, { ...also, [name]: text }), `Type into ${sheetLabels[name]}`);
    },
    fill: (area, text) => store.edit(fillArea(store.sheet, area, store.inSight, text, read, day), 'Fill'),
    clear: (area) => store.edit(clearArea(store.sheet, area, store.inSight, read), 'Clear'),
    fillDown: (area) => store.edit(fillDown(store.sheet, area, store.inSight, read), 'Fill down'),
    fillRight: (area) => store.edit(fillRight(store.sheet, area, store.inSight, read, day), 'Fill right'),
    deleteRows: (top, bottom) =>
      store.edit(deleteRows(store.sheet, top, bottom), `Delete ${countText(bottom - top + 1, 'row')}`),
    copy: (area) => tsvOf(textsOf(store.sheet, area, store.inSight, read)),
    paste: (area, data) => {
      const pasted = readClipboard(clipboardOf(data));
      if (!pasted) {
        notify.info('There is no text on the clipboard.');
        return undefined;
      }
      if (pasted.hiddenRows > 0) notify.info(hiddenRowsText(pasted.hiddenRows));
      return takeTable(store, pasted, { from: area.top, area, select });
    },
    undo: () => store.undo(),
    redo: () => store.redo(),
    findError: (from, step) => store.findError(from, step),
  };
}

/** Where a table goes: from this row on, for copied cells also the selected area. `select` selects what was pasted later. */
interface PastePlace {
  from: number;
  area?: GridArea;
  select: (area: GridArea) => void;
}

/** A pasted table, or the sheet of a file. */
type TakenTable = Pick<PastedTable, 'table' | 'merges'> & { rowNumbers?: readonly number[] };

/**
 * Pastes a table. With headings, each column goes to its field and the rows to free rows. Without headings, pasted
 * cells go to the cells in sight from the focused one on. A file is always added as rows. What may stand in a wrong column and dates that
 * may have the month first are asked about before, and are pasted after the answer.
 */
function takeTable(store: SheetStore, read: TakenTable, place: PastePlace): GridArea | undefined {
  const { from, area } = place;
  const found: Mapping<SheetColumn> = recognise(read.table, challanSheetFields);
  // A single cell is a value, also where it says 'Advance'.
  if (read.table.length === 1 && read.table[0]?.length === 1) found.hasHeadings = false;
  const fields = area && !found.hasHeadings ? store.inSight.slice(area.left) : rememberedColumns(found).columns;
  const later = (next: TakenTable): void => {
    const pasted = takeTable(store, next, place);
    if (pasted) place.select(pasted);
  };
  const long = found.hasHeadings ? rowsTooLong(read.table, found.headings, found.firstRow) : [];
  if (long.length > 0) {
    const isLong = new Set(long);
    void confirm({
      title: tooLongText(long.map((row) => read.rowNumbers?.[row] ?? row + 1)),
      body: `${tooLongReason} Correct it where it comes from, or leave it out.`,
      confirmLabel: 'Leave Out',
      cancelLabel: 'Do Not Paste',
    }).then((isLeftOut) => {
      // Blank rows are not pasted, and the merged cells of the others keep their places.
      if (isLeftOut) later({ ...read, table: read.table.map((row, at) => (isLong.has(at) ? row.map(() => '') : row)) });
    });
    return undefined;
  }
  const isDay = (column: number): boolean => (fields[column] ? valueKindOf(fields[column]) === 'day' : false);
  const merges = read.merges.filter(({ first }) => first >= found.firstRow);
  const table = filledDown(read.table, merges, (column) => {
    const field = fields[column];
    return field !== null && field !== undefined && !isShared(valueKindOf(field));
  });
  const oddDate = monthFirstExample(table.slice(found.firstRow).flatMap((row) => row.filter((_, at) => isDay(at))));
  if (oddDate !== undefined) {
    void confirm({
      title: monthFirstDoubt(oddDate),
      body: 'Read the column as month first?',
      confirmLabel: 'Month First',
      cancelLabel: 'Do Not Paste',
    }).then((isMonthFirst) => {
      if (isMonthFirst)
        later({ ...read, table: table.map((row) => row.map((text, at) => (isDay(at) ? dayFirst(text) : text))) });
    });
    return undefined;
  }
  const { sheet, today: day } = store;
  let pasted: Pasted;
  if (area && !found.hasHeadings) pasted = pasteCells(sheet, area, store.inSight, table, day);
  else {
    const mapping = rememberedColumns(found);
    const rows = table.slice(mapping.firstRow).filter((row) => !isBlankRow(row));
    if (rows.length === 0) {
      notify.warning(!area ? 'The file has no rows below its headings.' : 'There are no rows below the headings.');
      return undefined;
    }
    // A mapping that is remembered was decided by the user.
    const isAsked = found.hasHeadings && mapping === found;
    const inDoubt = isAsked ? fieldsInDoubt(mapping, rows, startingFields, day) : [];
    pasted = pasteTable(sheet, from, { ...mapping, rows, inDoubt }, day);
    pasted.area.right = store.inSight.length - 1;
  }
  // The new rows must be rendered before the pasted area can be selected.
  flushSync(() => store.edit(pasted.sheet, `Paste ${countText(pasted.area.bottom - pasted.area.top + 1, 'row')}`));
  if (pasted.left > 0) {
    notify.warning(`${countText(pasted.left, 'row')} did not fit. ${fullSheet}.`);
  }
  if (pasted.leftColumns > 0) {
    notify.warning(
      `${countText(pasted.leftColumns, 'column')} did not fit. Show more columns, or copy the headings too.`,
    );
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
    const isTarget = (row: SheetRow): boolean => nameKey(store.read(row, column)) === nameKey(text);
    const setsContact = column === 'ownerName' && to.contactNumber !== undefined;
    sheet = replaceText(sheet, isTarget, {
      [column]: to.text,
      ...(setsContact && { ownerContactNumber: to.contactNumber }),
    });
  }
  store.edit(sheet, `Map ${text} to ${to.text}`);
}

const draftDelayMs = 500;

/** Puts rows into the open sheet; undefined if no sheet is open. */
let returnToOpenSheet: ((rows: readonly Cells[]) => void) | undefined;

/**
 * Returns rows whose challans were undone: to the open sheet, or else to the draft, where the next visit finds them.
 */
export function returnRows(rows: readonly Cells[]): void {
  if (returnToOpenSheet) return returnToOpenSheet(rows);
  const draft = readSheetDraft()?.value;
  writeSheetDraft({ ...draft, rows: [...rows, ...(draft?.rows ?? [])] });
}

/** Saves the sheet as a draft on this device while the user types. The next visit offers the draft with its time. */
export function useSheetDraft(store: SheetStore, sheet: Sheet) {
  const [offer, setOffer] = useState<Draft<SheetDraft> | undefined>(readSheetDraft);
  const commitKey = useRef<string>(undefined);
  const offerRef = useRef(offer);
  /** The sheet as it was last saved. */
  const savedSheet = useRef(sheet);
  const saveDraft = useRef(() => {
    savedSheet.current = store.sheet;
    const rows = [...(offerRef.current?.value.rows ?? []), ...store.draft()];
    writeSheetDraft({ rows, commitKey: offerRef.current?.value.commitKey ?? commitKey.current });
  });
  useEffect(() => {
    if (savedSheet.current === sheet) return undefined;
    const save = (): void => {
      if (savedSheet.current !== store.sheet) saveDraft.current();
    };
    const timer = setTimeout(save, draftDelayMs);
    window.addEventListener('pagehide', save);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', save);
    };
  }, [store, sheet]);
  // Saves the draft if the screen is left within the delay.
  useEffect(
    () => () => {
      if (savedSheet.current !== store.sheet) saveDraft.current();
    },
    [store],
  );
  const replaceOffer = useCallback((next: Draft<SheetDraft> | undefined): void => {
    offerRef.current = next;
    setOffer(next);
  }, []);
  /**
   * Puts rows before those in the sheet, as many as there is room for. The others stay offered as a draft, before the
   * rows of `next`.
   */
  const prepend = useCallback(
    (rows: readonly Cells[], next: { savedAt: string; value?: SheetDraft }): void => {
      const own = usedRows(store.sheet).map(({ cells }) => cells);
      const room = mostSheetRows - own.length;
      if (room > 0) store.begin(sheetOf([...rows.slice(0, room), ...own]));
      const left = rows.slice(room);
      const waiting = [...left, ...(next.value?.rows ?? [])];
      replaceOffer(waiting.length === 0 ? undefined : { ...next, value: { ...next.value, rows: waiting } });
      if (left.length > 0) {
        const [stay, them] = left.length === 1 ? ['stays', 'it'] : ['stay', 'them'];
        notify.warning(
          `${countText(left.length, 'row')} ${stay} in the draft. ${fullSheet}. Restore ${them} after the others are created.`,
        );
      }
    },
    [store, replaceOffer],
  );
  useEffect(() => {
    returnToOpenSheet = (rows) => {
      prepend(rows, offerRef.current ?? { savedAt: new Date().toISOString() });
      saveDraft.current();
      store.askAgain('challans');
    };
    return () => {
      returnToOpenSheet = undefined;
    };
  }, [store, prepend]);
  return {
    offer,
    restore: () => {
      if (!offer) return;
      const { rows, commitKey: key } = offer.value;
      prepend(rows, { savedAt: offer.savedAt });
      commitKey.current = key;
      savedSheet.current = store.sheet;
    },
    discard: () => {
      replaceOffer(undefined);
      saveDraft.current();
    },
    commitKey: () => commitKey.current,
    keepKey: (key: string | undefined) => {
      commitKey.current = key;
      saveDraft.current();
    },
  };
}
