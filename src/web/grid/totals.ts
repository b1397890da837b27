import type { Column } from '../../shared/columns/define.ts';
import { shownText } from './column-kinds.tsx';
import type { DataGridProps } from './grid-props.ts';

/** The sum of the whole filter for this column, or the label in the first. */
export function totalText<Row>(column: Column<Row>, props: DataGridProps<Row>): string {
  if (column.key === props.columns[0]?.key) return props.totalsLabel ?? 'Total';
  const sum = column.total === undefined ? undefined : props.totals?.[column.total];
  if (column.kind === 'count') return typeof sum === 'number' ? shownText.count(sum, column) : '';
  if (typeof sum !== 'string') return '';
  if (column.kind === 'money') return shownText.money(sum, column);
  if (column.kind === 'percent') return shownText.percent(sum, column);
  return column.kind === 'weight' || column.kind === 'liters' ? shownText.weight(sum, column) : '';
}

/** 'Owner / Challan No': what the cells of group rows are, and what those of the other rows are. */
export function headingOf<Row>({ tree }: DataGridProps<Row>, { key, label }: Column<Row>): string {
  const ofGroups = tree?.cells[key]?.heading;
  return ofGroups === undefined ? label : `${ofGroups} / ${label}`;
}
