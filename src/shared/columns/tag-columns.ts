import type { Tag } from '../contract/tags.ts';
import type { Column } from './define.ts';

/** Tags (docs/specification.md §7.2); 'Check Usage' is an action. */
export const tagColumns: readonly Column<Tag>[] = [
  {
    key: 'name',
    label: 'Name',
    kind: 'tag',
    width: 220,
    pin: 'left',
    sortKey: 'name',
    value: (row) => ({ name: row.name, color: row.color }),
  },
  { key: 'description', label: 'Description', kind: 'text', width: 420, cutAt: 60 },
  { key: 'createdAt', label: 'Created', kind: 'date', width: 130, sortKey: 'createdAt' },
];
