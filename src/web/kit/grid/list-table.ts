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

/** The kinds that a file shows as a word. */
const wordKinds = { flag: 'text', status: 'text', tag: 'text', reference: 'text' } as const;
const kindOf = (kind: ColumnKind): TableToWrite['columns'][number]['kind'] =>
  kind in wordKinds ? 'text' : (kind as Exclude<ColumnKind, keyof typeof wordKinds>);

/** The day of a text like 31/12/2026. */
const dayOfText = (text: string): string => text.split('/').toReversed().join('-');

/**
 * The columns in sight and these rows as a table for a file, with the totals as its last row. Of a list whose rows open it has
 * the rows that open.
 */
export function listTable<Row>(
  { label, columns, totals, tree }: DataGridProps<Row>,
  rows: readonly Row[],
  shown: readonly string[] | undefined,
): TableToWrite {
  const inSight = shown
    ? shown.flatMap((key) => columns.find((column) => column.key === key) ?? [])
    : columns.filter(({ isOffered }) => !isOffered);
  const written = inSight.filter((column) => column.export !== false && column.label !== '');
  const sumOf = ({ total }: Column<Row>): string | null => {
    const sum = total === undefined ? undefined : totals?.[total];
    return typeof sum === 'string' || typeof sum === 'number' ? String(sum) : null;
  };
  const kindIn = ({ key, kind }: Column<Row>) => kindOf(tree ? (tree.cells[key]?.kind ?? 'text') : kind);
  const textIn = (column: Column<Row>, row: Row): string | null => {
    if (!tree) return mapCell(exact, column, row);
    const text = tree.cells[column.key]?.text?.(row) ?? '';
    return kindIn(column) === 'date' ? dayOfText(text) : text;
  };
  return {
    label,
    columns: written.map((column) => ({ label: column.label, kind: kindIn(column), width: column.width })),
    rows: rows
      .filter((row) => tree?.isGroup(row) ?? true)
      .map((row) => written.map((column) => textIn(column, row) || null)),
    sums: totals && written.some((column) => sumOf(column) !== null) ? written.map(sumOf) : undefined,
  };
}
