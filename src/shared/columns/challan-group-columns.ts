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

/** As wide as the sum of a large business. */
const wideMoney = { kind: 'money', width: 152, least: 146 } as const;

/** What a column of figures has beside its label. Those that are offered are hidden until the user adds them. */
const looks: { readonly [F in GroupFigure]: Partial<ColumnBase> & { kind?: ColumnKind } } = {
  challanCount: { kind: 'count', width: 90, least: 78 },
  loadingWeight: { width: 122, least: 116 },
  unloadingWeight: { width: 122, least: 116 },
  differenceWeight: { width: 110, least: 104 },
  shortageAmount: { isOffered: true },
  freight: wideMoney,
  tdsAmount: {},
  hsdAmount: wideMoney,
  advanceMoney: wideMoney,
  officeCharges: { isOffered: true },
  materialShortageAmount: {},
  netAmountPayable: wideMoney,
  paidAmount: wideMoney,
  unpaidAmount: wideMoney,
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
      width: 138,
      least: 132,
      ...looks[name],
      kind: kindOf(name),
      sortKey: name,
      total: name,
      // Safe: the answer of a figure has what its kind needs: a number for the count, else a decimal as text.
    }) as Column<ChallanGroup>,
);

/** The table of groups by one or two keys (docs/specification.md §33). */
export const challanGroupColumns = ([first, second]: readonly GroupKey[]): readonly Column<ChallanGroup>[] => [
  { key: 'first', label: groupKeys[first!], kind: 'text', width: 168, pin: 'left', sortKey: 'name' },
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
