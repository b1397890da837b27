import { mapCell, type CellMap, type Column, type ColumnKind } from '../../../shared/columns/define.ts';
import type { TableToWrite } from '../../../shared/contract/tables.ts';
import { copiedText } from './column-kinds.tsx';
import type { DataGridProps } from './grid-props.ts';

/** The exact values, as text. Words stand for flags, states and tags. */
const exact: CellMap<string | null> = {
  ...copiedText,
  date: (value) => value,
  shortDate: (value) => value,
  datetime: (value) => value,
};

type WrittenKind = TableToWrite['columns'][number]['kind'];

const day = /^\d{4}-\d\d-\d\d/;
const figure = /^-?\d+(\.\d+)?$/;
/** What a cell of these kinds looks like. The other kinds are written as text, which may be anything. */
const patterns: Partial<Record<WrittenKind, RegExp>> = {
  money: figure,
  weight: figure,
  liters: figure,
  percent: figure,
  count: figure,
  date: day,
  shortDate: day,
  datetime: day,
};
const isWritten = (kind: ColumnKind): kind is WrittenKind => kind in patterns || kind === 'identifier';

/** 2026-12-31 from a cell that shows 31/12/2026. */
const isoDay = (text: string): string => text.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$2-$1');

/**
 * The columns in sight and these rows as a table for a file, with the totals as its last row. Of a list whose rows open it has
 * the rows that open.
 */
export function listTable<Row>(
  { label, columns, totals, tree, cells }: DataGridProps<Row>,
  rows: readonly Row[],
  shown: readonly string[] | undefined,
): TableToWrite {
  const inSight = shown
    ? shown.flatMap((key) => columns.find((column) => column.key === key) ?? [])
    : columns.filter(({ isOffered }) => !isOffered);
  const written = inSight.filter((column) => column.export !== false && column.label !== '');
  const kindOf = ({ key, kind }: Column<Row>): ColumnKind => (tree ? (tree.cells[key]?.kind ?? 'text') : kind);
  const textOf = (column: Column<Row>, row: Row): string | null => {
    const spec = (tree ? tree.cells : cells)?.[column.key];
    if (!spec || !('render' in spec) || !spec.text) return tree ? null : mapCell(exact, column, row);
    return kindOf(column) === 'date' ? isoDay(spec.text(row)) : spec.text(row);
  };
  const sumOf = ({ total }: Column<Row>): string | null => {
    const sum = total === undefined ? undefined : totals?.[total];
    return typeof sum === 'string' || typeof sum === 'number' ? String(sum) : null;
  };
  const lines = rows
    .filter((row) => tree?.isGroup(row) ?? true)
    .map((row) => written.map((column) => textOf(column, row) || null));
  const sums = written.map(sumOf);
  /** Text in a column of figures, such as a masked amount, makes it a column of text. */
  const writtenKind = (column: Column<Row>, at: number): WrittenKind => {
    const kind = kindOf(column);
    if (!isWritten(kind)) return 'text';
    const pattern = patterns[kind];
    const fits = !pattern || [...lines, sums].every((line) => typeof line[at] !== 'string' || pattern.test(line[at]));
    return fits ? kind : 'text';
  };
  return {
    label,
    columns: written.map((column, at) => ({ label: column.label, kind: writtenKind(column, at), width: column.width })),
    rows: lines,
    sums: sums.some((sum) => sum !== null) ? sums : undefined,
  };
}
