import { useMemo } from 'react';
import { UserCog } from 'lucide-react';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { activeStatus, type Column } from '../../../shared/columns/define.ts';
import { subadminColumns } from '../../../shared/columns/subadmin-columns.ts';
import type { Subadmin } from '../../../shared/contract/subadmins.ts';
import { subadmins } from '../../api/resources.ts';
import { recordView } from '../../records/record-details.tsx';
import { pageOf } from '../../records/record-rows.ts';
import { recordScreen } from '../../records/record-screen.tsx';
import { SubadminFormDialog } from './subadmin-form-dialog.tsx';
import { useActivation } from './use-activation.ts';

/** The status says it in a word; the switch beside it changes it (docs/specification.md §5.1). */
const columns: readonly Column<Subadmin>[] = [
  ...subadminColumns,
  { key: 'active', label: 'Active', kind: 'flag', width: 76, value: (row) => row.isActive, words: ['Yes', 'No'] },
];

/** /admin/subadmins (docs/specification.md §5.1). */
export const SubadminsPage = recordScreen<Subadmin>({
  id: 'subadmins',
  title: 'Subadmins',
  noun: ['subadmin', 'subadmins'],
  columns,
  useRows: ({ page, limit }) => pageOf(subadmins.useList({ query: { page, limit } })),
  failed: { list: 'Failed to fetch subadmins' },
  empty: {
    icon: <UserCog size={18} aria-hidden />,
    text: 'Each business signs in with an account of its own and sees its own books only.',
  },
  viewLabel: 'View',
  views: {
    view: recordView<Subadmin>({
      record: 'subadmin',
      title: (row) => row?.bannerName ?? 'Subadmin',
      missing: 'Subadmin not found',
      facts: (row) => [
        {
          title: 'Business',
          facts: [
            { label: 'Banner Name', value: row.bannerName },
            { label: 'GST No', value: row.gstNo },
            { label: 'Contact Number', value: row.contactNumber },
            { label: 'Office Address', value: row.officeAddress },
          ],
        },
        {
          title: 'Account',
          facts: [
            { label: 'Email', value: row.email },
            { label: 'Status', value: activeStatus(row.isActive).label },
            { label: 'Role', value: 'Subadmin' },
            { label: 'ID', value: row.id },
            { label: 'Created', value: formatDateTime(row.createdAt) },
            { label: 'Updated', value: formatDateTime(row.updatedAt) },
          ],
        },
      ],
    }),
  },
  form: { addLabel: 'Add New Subadmin', Dialog: SubadminFormDialog },
  removal: {
    useSend: subadmins.useRemove,
    question: ({ bannerName, email }) => ({
      title: `Delete subadmin "${bannerName}"?`,
      body: (
        <>
          <p>Are you sure you want to delete this subadmin?</p>
          {/* docs/specification.md §5.3 */}
          <p className="mt-2 text-muted">
            The account can no longer sign in, and {email} stays taken. Its records are kept.
          </p>
        </>
      ),
    }),
    done: 'Subadmin deleted successfully',
    failed: 'Failed to delete subadmin',
  },
  useMore: () => {
    const { cells, toggleActive } = useActivation();
    const rowCommands = useMemo(
      () => [{ id: 'toggle', label: 'Activate or deactivate subadmin', keys: 'A', run: toggleActive }],
      [toggleActive],
    );
    return { cells, rowCommands };
  },
});
