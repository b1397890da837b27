import type { Subadmin } from '../contract/subadmins.ts';
import { activeStatus } from './define.ts';
import type { Column } from './define.ts';

/** Sub-admin management (docs/specification.md §5.1). */
export const subadminColumns: readonly Column<Subadmin>[] = [
  { key: 'email', label: 'Email', kind: 'reference', width: 204, pin: 'left' },
  { key: 'bannerName', label: 'Banner Name', kind: 'text', width: 230, least: 172 },
  { key: 'gstNo', label: 'GST No', kind: 'identifier', width: 216 },
  { key: 'contactNumber', label: 'Contact Number', kind: 'identifier', width: 140, least: 126 },
  { key: 'officeAddress', label: 'Office Address', kind: 'text', width: 240 },
  { key: 'isActive', label: 'Status', kind: 'status', width: 100, value: (row) => activeStatus(row.isActive) },
];
