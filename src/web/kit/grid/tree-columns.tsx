import type { ReactNode } from 'react';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { cellValue, mapCell, type Column } from '../../../shared/columns/define.ts';
import { copiedText, shownText } from './column-kinds.tsx';
import type { GridTree } from './grid-types.ts';

/** The columns of a flat list of groups and members. A member's column is listed under the key of the group's column above it. */
interface TreeColumns<Row, Group, Member> {
  groups: readonly Column<Group>[];
  members: Readonly<Record<string, Column<Member>>>;
  groupOf: (row: Row) => Group;
  /** The member in the row; undefined if the row is a group. */
  memberOf: (row: Row) => Member | undefined;
}

/** The columns of the list: headed as the groups are, with the values of members; `groupCells` renders the cells of groups. */
export const treeColumns = <Row, Group, Member>({
  groups,
  members,
  memberOf,
}: TreeColumns<Row, Group, Member>): readonly Column<Row>[] =>
  groups.map((column) => {
    const member = members[column.key];
    return {
      ...column,
      ...(member && { kind: member.kind }),
      value: (row: Row) => {
        const own = memberOf(row);
        return own === undefined || !member ? null : cellValue(member, own);
      },
      // Safe: kind and value come from the same column of the member.
    };
  }) as readonly Column<Row>[];

interface GroupCells<Row, Group> {
  isExpanded: (row: Row) => boolean;
  /** Shown after the name, in the same cell. */
  mark?: (group: Group) => ReactNode;
}

/** The cells of a group's row, and the headings of its members. The first cell shows a chevron: the group can be expanded. */
export const groupCells = <Row, Group, Member>(
  { groups, members, groupOf }: TreeColumns<Row, Group, Member>,
  { isExpanded, mark }: GroupCells<Row, Group>,
): Pick<GridTree<Row>, 'cells' | 'headings'> => ({
  headings: Object.fromEntries(Object.entries(members).map(([key, { label }]) => [key, label])),
  cells: Object.fromEntries(
    groups.map((column, index) => {
      return [
        column.key,
        {
          kind: column.kind,
          render: (row: Row) => {
            const group = groupOf(row);
            const text = mapCell(shownText, column, group) || (column.empty ?? '');
            if (index > 0) {
              return (
                <span className="nums truncate font-medium text-ink" title={text}>
                  {text}
                </span>
              );
            }
            const Chevron = isExpanded(row) ? ChevronDown : ChevronRight;
            return (
              <span className="nums flex min-w-0 items-center gap-1.5 font-medium text-ink" title={text}>
                <Chevron size={14} aria-hidden className="shrink-0" data-expand />
                <span className="truncate">
                  {text}
                  {mark?.(group)}
                </span>
              </span>
            );
          },
          text: (row: Row) => mapCell(copiedText, column, groupOf(row)),
        },
      ];
    }),
  ),
});
