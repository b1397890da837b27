import type { GridApi } from 'ag-grid-community';
import { mapCell, type Column } from '../../../shared/columns/define.ts';
import { copyRefused, copyText, copyWithHtml } from '../ui/copy-text.ts';
import { copiedText } from './column-kinds.tsx';
import type { GetProps } from './ag-columns.ts';
import type { DataGridProps } from './grid-props.ts';
import type { CopiedCell } from './rows-html.ts';
import { isHeading } from './member-headings.ts';

interface CopySource<Row> {
  api: GridApi<Row>;
  getProps: GetProps<Row>;
  row: Row;
  column: string;
  showNote: (text: string) => void;
}

/**
 * Ctrl+C copies the selected rows of this page as TSV with a heading, or otherwise the focused cell, as plain values
 * (docs/specification.md §19.8).
 */
export function copyFrom<Row>(source: CopySource<Row>): boolean {
  // If text is selected, the user wants to copy that text.
  if ((window.getSelection()?.toString() ?? '') !== '') return false;
  const props = source.getProps();
  const shown = source.api
    .getAllDisplayedColumns()
    .map((item) => props.columns.find((column) => column.key === item.getColId()))
    .filter((column) => column !== undefined);
  const chosen = selectedRows(source);
  if (chosen.length > 0) {
    const missing = missingText(props, chosen);
    if (missing !== undefined) {
      source.showNote(missing);
      return true;
    }
    copyCells(
      [
        // Groups are not copied.
        shown.map(({ key, label, kind }) => ({ text: props.tree?.headings?.[key] ?? label, kind })),
        ...chosen.map((row) => shown.map((column) => copiedCell(props, column, row))),
      ],
      source.showNote,
      `${chosen.length} ${chosen.length === 1 ? 'row' : 'rows'} copied${hasHiddenRows(source) ? notCopied : ''}`,
    );
    return true;
  }
  const column = shown.find((item) => item.key === source.column);
  if (!column) {
    const isHidden = hasHiddenRows(source);
    if (isHidden) source.showNote('The selected rows are collapsed. Expand them to copy them.');
    return isHidden;
  }
  const { text } = copiedCell(props, column, source.row);
  // The amount of a row may be there before the rest.
  const missing = text === '' ? missingText(props, [source.row]) : undefined;
  if (missing === undefined) note(copyText(text), source.showNote, 'Copied');
  else source.showNote(missing);
  return true;
}

/** Why these rows cannot be copied: in a spreadsheet, cells that are missing would look empty. */
export function missingText<Row>({ tree }: DataGridProps<Row>, rows: readonly Row[]): string | undefined {
  const states = rows.map((row) => tree?.missing?.(row));
  const what = rows.length === 1 ? 'This row' : 'A selected row';
  if (states.includes('loading')) return `${what} is still being loaded. Nothing was copied.`;
  if (states.includes('failed')) return `${what} could not be loaded. Nothing was copied.`;
  return undefined;
}

const notCopied = '. Selected rows that are collapsed were not copied.';

/** Whether more rows of this page are selected than are shown: who pastes the table must not take it for all of them. */
function hasHiddenRows<Row>({ api, getProps }: CopySource<Row>): boolean {
  const { selection, tree } = getProps();
  let isFound = false;
  api.forEachNode(({ data }) => {
    if (data === undefined || !tree?.isGroup(data) || tree.isExpanded(data)) return;
    isFound ||= (selection?.stateOf(data) ?? 'none') !== 'none';
  });
  return isFound;
}

function selectedRows<Row>({ api, getProps }: CopySource<Row>): Row[] {
  const { selection, tree } = getProps();
  if (!selection) return [];
  const rows: Row[] = [];
  api.forEachNode((node) => {
    const { data } = node;
    if (data === undefined || tree?.isGroup(data) || isHeading(data)) return;
    if (selection.stateOf(data) === 'all') rows.push(data);
  });
  return rows;
}

/** What copying a cell gives: plain numbers, full days. */
export function copiedCell<Row>(props: DataGridProps<Row>, column: Column<Row>, row: Row): CopiedCell {
  if (props.tree?.isGroup(row)) {
    const cell = props.tree.cells[column.key];
    return { text: cell?.text?.(row) ?? '', kind: cell?.kind ?? 'text' };
  }
  const spec = props.cells?.[column.key];
  const text = spec && 'render' in spec && spec.text ? spec.text(row) : mapCell(copiedText, column, row);
  return { text, kind: column.kind };
}

/** Copies lines of cells, as text and as HTML. */
export function copyCells(
  lines: readonly (readonly CopiedCell[])[],
  showNote: (text: string) => void,
  done: string,
): void {
  const safe = lines.map((line) => line.map(({ text, kind }) => ({ text: tsvField(text), kind })));
  const html = import('./rows-html.ts').then(({ rowsHtml }) => rowsHtml(safe));
  const text = safe.map((line) => line.map((cell) => cell.text).join('\t')).join('\r\n');
  note(copyWithHtml(text, html), showNote, done);
}

/**
 * Makes text safe for a spreadsheet, which reads tabs and line ends as new cells, and a leading = + - @ as a formula unless
 * the text is a number.
 */
export function tsvField(text: string): string {
  const flat = text.replace(/[\t\r\n]+/g, ' ');
  const isFigure = /^-?\d+(\.\d+)?$/.test(flat);
  return /^[=+\-@]/.test(flat) && !isFigure ? `'${flat}` : flat;
}

function note(copying: Promise<void>, showNote: (text: string) => void, done: string): void {
  copying.then(
    () => showNote(done),
    () => showNote(copyRefused),
  );
}
