import type { GridApi } from 'ag-grid-community';
import { mapCell, type Column } from '../../shared/columns/define.ts';
import { copiedText } from './column-kinds.tsx';
import type { Live } from './ag-columns.ts';
import type { DataGridProps } from './grid-props.ts';

interface CopySpot<Row> {
  api: GridApi<Row>;
  live: Live<Row>;
  row: Row;
  column: string;
  say: (text: string) => void;
}

/**
 * Ctrl+C: the selected rows of this page as TSV with their heading, else the one cell, raw
 * (docs/specification.md §19.8).
 */
export function copyFrom<Row>(spot: CopySpot<Row>): boolean {
  // Marked text is what the user means.
  if ((window.getSelection()?.toString() ?? '') !== '') return false;
  const props = spot.live();
  const shown = spot.api
    .getAllDisplayedColumns()
    .map((item) => props.columns.find((column) => column.key === item.getColId()))
    .filter((column) => column !== undefined);
  const chosen = selectedRows(spot);
  if (chosen.length > 0) {
    const lines = [
      shown.map((column) => column.label),
      ...chosen.map((row) => shown.map((column) => textOf(props, column, row))),
    ];
    put(
      lines.map((line) => line.map(tsvField).join('\t')).join('\r\n'),
      spot.say,
      `${chosen.length} ${chosen.length === 1 ? 'row' : 'rows'} copied`,
    );
    return true;
  }
  const column = shown.find((item) => item.key === spot.column);
  if (!column) return false;
  put(textOf(props, column, spot.row), spot.say, 'Copied');
  return true;
}

function selectedRows<Row>({ api, live }: CopySpot<Row>): Row[] {
  const { selection, tree } = live();
  if (!selection) return [];
  const rows: Row[] = [];
  api.forEachNode((node) => {
    if (node.data !== undefined && !tree?.isGroup(node.data) && selection.stateOf(node.data) === 'all')
      rows.push(node.data);
  });
  return rows;
}

function textOf<Row>(props: DataGridProps<Row>, column: Column<Row>, row: Row): string {
  if (props.tree?.isGroup(row)) return props.tree.cells[column.key]?.text?.(row) ?? '';
  const spec = props.cells?.[column.key];
  if (spec && 'render' in spec && spec.text) return spec.text(row);
  return mapCell(copiedText, column, row);
}

/** A spreadsheet takes tabs and line ends for new cells, and a leading = + - @ for a formula unless it is a figure. */
export function tsvField(text: string): string {
  const flat = text.replace(/[\t\r\n]+/g, ' ');
  const isFigure = /^-?\d+(\.\d+)?$/.test(flat);
  return /^[=+\-@]/.test(flat) && !isFigure ? `'${flat}` : flat;
}

function put(text: string, say: (text: string) => void, done: string): void {
  navigator.clipboard.writeText(text).then(
    () => say(done),
    () => say('The browser did not allow copying'),
  );
}
