import type { OwnerListItem } from '../contract/owners.ts';
import type { Column } from './define.ts';
import { ownerColumns } from './owner-columns.ts';

/** The owners in accounting (part 2 §2.3): as under Owners, in its own words. */
export const accountingOwnerColumns: readonly Column<OwnerListItem>[] = ownerColumns.map((column) =>
  column.key === 'trucksCount' ? { ...column, label: 'Trucks Count', width: 120 } : column,
);
