import { columnKinds } from './challan-export-columns.ts';
import type { Column, ColumnBase, ColumnKind } from './define.ts';
import { challanFields } from '../contract/challan-fields.ts';
import {
  groupFigureNames,
  groupFigures,
  groupKeys,
  type ChallanGroup,
  type GroupFigure,
  type GroupKey,
} from '../contract/challan-groups.ts';

/** What a column of figures has beside its label. Those that are offered are hidden until the user adds them. */
const looks: { readonly [F in GroupFigure]: Partial<ColumnBase> & { kind?: ColumnKind } } = {
  challanCount: { kind: 'count', width: 90 },
  loadingWeight: { width: 115 },
  unloadingWeight: { width: 115 },
  differenceWeight: { width: 105 },
  shortageAmount: { isOffered: true },
  freight: { kind: 'money', width: 140 },
  tdsAmount: {},
  hsdAmount: {},
  advanceMoney: {},
  officeCharges: { isOffered: true },
  materialShortageAmount: {},
  netAmountPayable: { width: 140 },
  paidAmount: { kind: 'money', width: 140 },
  unpaidAmount: { kind: 'money', width: 140 },
};

/** The kind of the challan's field that a figure adds up; money for those that no field has. */
const kindOf = (name: GroupFigure): ColumnKind => {
  const own = looks[name].kind;
  if (own !== undefined) return own;
  // Safe: a figure without a kind of its own is a field of a challan.
  return columnKinds[challanFields[name as keyof typeof challanFields].kind];
};

const figureColumns = groupFigureNames.map(
  (name) =>
    ({
      key: name,
      label: groupFigures[name].label,
      width: 120,
      ...looks[name],
      kind: kindOf(name),
      sortKey: name,
      total: name,
      // Safe: the answer of a figure has what its kind needs: a number for the count, else a decimal as text.
    }) as Column<ChallanGroup>,
);

/** The table of groups by one or two keys (docs/specification.md §33). */
export const challanGroupColumns = ([first, second]: readonly GroupKey[]): readonly Column<ChallanGroup>[] => [
  { key: 'first', label: groupKeys[first!], kind: 'text', width: 180, pin: 'left', sortKey: 'name' },
  ...(second === undefined
    ? []
    : [
        {
          key: 'second',
          label: groupKeys[second],
          kind: 'text',
          width: 160,
          pin: 'left',
          value: (row: ChallanGroup) => row.second ?? 'All',
        } as const,
      ]),
  ...figureColumns,
];
