import { useRef } from 'react';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { activeStatus } from '../../../shared/columns/define.ts';
import type { Subadmin } from '../../../shared/contract/subadmins.ts';
import { RecordView } from '../../filters/record-view.tsx';
import { Facts } from '../../shell/facts.tsx';

interface SubadminViewProps {
  id: string;
  /** Undefined while the list loads. */
  row: Subadmin | undefined;
  missing: string | undefined;
  placeFocus: () => boolean;
  onClose: () => void;
  onEdit: (subadmin: Subadmin) => void;
  onRemove: (subadmin: Subadmin) => void;
}

/** What the table shows, and id and role too (part 1 §2). */
export function SubadminView({ id, row, missing, placeFocus, onClose, onEdit, onRemove }: SubadminViewProps) {
  const first = useRef<HTMLDivElement>(null);
  return (
    <RecordView
      title={row?.bannerName ?? 'Subadmin'}
      noun="subadmin"
      history={{ noun: 'subadmin', id }}
      missing={missing}
      first={first}
      placeFocus={placeFocus}
      onClose={onClose}
      onEdit={() => row && onEdit(row)}
      onRemove={() => row && onRemove(row)}
    >
      {row && (
        <Facts
          ref={first}
          label="Subadmin"
          groups={[
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
          ]}
        />
      )}
    </RecordView>
  );
}
