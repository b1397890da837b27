import type { GridTree } from './grid-types.ts';

/**
 * Above the members of an open group stands a row with their headings, because the headings of the table are those of the
 * groups. It is a row of AG Grid and of the paper only: no record, not selected, copied or entered by a key.
 */
const headings = new WeakSet<object>();

export const isHeading = (row: unknown): boolean => typeof row === 'object' && row !== null && headings.has(row);

/** The rows with the headings of members. A heading has the values of the first member, so that it needs no type of its own. */
export function withHeadings<Row>(rows: readonly Row[], tree: GridTree<Row> | undefined): Row[] {
  if (!tree?.headings) return [...rows];
  return rows.flatMap((row, at) => {
    const before = rows[at - 1];
    if (tree.isGroup(row) || before === undefined || !tree.isGroup(before)) return [row];
    const heading = { ...row };
    headings.add(heading as object);
    return [heading, row];
  });
}

/** Whether groups have nothing in this column: the cell before it spans it, so it has no heading of its own. */
export const isSpanned = <Row>(tree: GridTree<Row> | undefined, key: string): boolean =>
  tree?.headings !== undefined && !(key in tree.cells);
