import { sum } from '../../../src/shared/calc/money.ts';
import type { Challan } from '../../../src/shared/contract/challan.ts';
import type { ChallanGroup, GroupFigures, GroupKey } from '../../../src/shared/contract/challan-groups.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import type { ChallanFilter } from '../../../src/shared/filters/challan-filters.ts';
import type { FakeServer } from './fake-server.ts';
import { paged } from './kept.ts';

/** Groups of challans, by the names of owner, tag and material, as far as the tests use them. */
function groupsOf(rows: readonly Challan[], [first, second]: readonly GroupKey[]): ChallanGroup[] {
  const nameOf = (key: GroupKey, row: Challan): string =>
    key === 'owner' ? row.ownerName : key === 'material' ? row.material : (row.tag?.name ?? 'Without a tag');
  const idOfKey = (key: GroupKey, row: Challan): Record<string, string> =>
    key === 'owner' ? { ownerId: row.owner.id } : key === 'material' ? { materialIs: row.material } : {};
  const by = (key: GroupKey, some: readonly Challan[]): [string, Challan[]][] => {
    const names = [...new Set(some.map((row) => nameOf(key, row)))];
    return names.map((name) => [name, some.filter((row) => nameOf(key, row) === name)]);
  };
  return by(first!, rows).flatMap(([name, of]) => [
    { id: name, level: 1 as const, first: name, second: null, filters: idOfKey(first!, of[0]!), ...figuresOf(of) },
    ...(second === undefined ? [] : by(second, of)).map(([part, some]) => ({
      id: `${name} ${part}`,
      level: 2 as const,
      first: name,
      second: part,
      filters: { ...idOfKey(first!, some[0]!), ...idOfKey(second!, some[0]!) },
      ...figuresOf(some),
    })),
  ]);
}

function figuresOf(rows: readonly Challan[]): GroupFigures {
  const netOf = (some: readonly Challan[]): string => sum(some.map((row) => row.netAmountPayable));
  const totalAmount = netOf(rows);
  const of = (name: 'loadingWeight' | 'unloadingWeight' | 'tdsAmount' | 'hsdAmount' | 'advanceMoney'): string =>
    sum(rows.map((row) => row[name]));
  return {
    challanCount: rows.length,
    loadingWeight: of('loadingWeight'),
    unloadingWeight: of('unloadingWeight'),
    differenceWeight: sum(rows.map((row) => row.differenceWeight)),
    shortageAmount: '0.00',
    freight: totalAmount,
    tdsAmount: of('tdsAmount'),
    hsdAmount: of('hsdAmount'),
    advanceMoney: of('advanceMoney'),
    officeCharges: '0.00',
    materialShortageAmount: '0.00',
    netAmountPayable: totalAmount,
    paidAmount: netOf(rows.filter((row) => row.paymentStatus)),
    unpaidAmount: netOf(rows.filter((row) => !row.paymentStatus)),
  };
}

export function keepGroups({ serve }: FakeServer, matching: (filter: ChallanFilter) => readonly Challan[]): void {
  serve(contract.challanGroups.list, ({ query }) => {
    const rows = matching(query);
    const all = groupsOf(rows, query.groupBy);
    return {
      ...paged(all, query),
      totals: figuresOf(rows),
      groupCount: all.filter(({ level }) => level === 1).length,
    };
  });
  serve(contract.challanGroups.exportCsv, () => ({ name: 'challan_groups_owner.csv', text: '\uFEFFOwner\r\n' }));
  serve(contract.challanGroups.exportXlsx, () => ({ name: 'challan_groups_owner.xlsx', text: 'PK' }));
}
