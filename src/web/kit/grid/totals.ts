import type { Column } from '../../../shared/columns/define.ts';
import { shownText } from './column-kinds.tsx';
import type { DataGridProps } from './grid-props.ts';

/** The text of the totals row in this column: the sum over the whole filter, or the label in the first column. */
export function totalText<Row>(column: Column<Row>, props: DataGridProps<Row>): string {
  if (column.key === props.columns[0]?.key) return props.totalsLabel ?? 'Total';
  const sum = column.total === undefined ? undefined : props.totals?.[column.total];
  if (column.kind === 'count') return typeof sum === 'number' ? shownText.count(sum, column) : '';
  if (typeof sum !== 'string') return '';
  if (column.kind === 'money') return shownText.money(sum, column);
  if (column.kind === 'percent') return shownText.percent(sum, column);
  return column.kind === 'weight' || column.kind === 'liters' ? shownText.weight(sum, column) : '';
}
