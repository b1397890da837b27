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

/** The columns in sight and these rows as a table for a file, with the totals as its last row. */
export function listTable<Row>(
  { label, columns, totals }: DataGridProps<Row>,
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
  return {
    label,
    columns: written.map(({ label: heading, kind, width }) => ({
      label: heading,
      kind: kindOf(kind),
      width,
    })),
    rows: rows.map((row) => written.map((column) => mapCell(exact, column, row) || null)),
    sums: totals && written.some((column) => sumOf(column) !== null) ? written.map(sumOf) : undefined,
  };
}
