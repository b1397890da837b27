import { Link } from 'react-router-dom';
import { copiedOwnerColumns } from '../../../shared/columns/record-columns.ts';
import type { CopiedOwner } from '../../../shared/contract/owners.ts';
import { owners } from '../../resources/owners.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen, type RecordScreenSpec } from '../../kit/records/record-screen.tsx';
import { screens } from '../../screens.ts';
import { useSession } from '../../kit/api/use-session.ts';

const sharedSpec = {
  screen: 'copiedOwners',
  noun: ['owner', 'owners'],
  columns: copiedOwnerColumns,
  failed: { list: 'Failed to fetch copied owners' },
  empty: {
    title: 'No owners were copied yet',
    text: 'Owners that one business copies from another are listed here.',
  },
} satisfies Partial<RecordScreenSpec<CopiedOwner>>;

const AdminScreen = recordScreen<CopiedOwner>({
  ...sharedSpec,
  useRows: ({ page, limit }) => pageOf(owners.useListAllCopied({ query: { page, limit } })),
});

const BusinessScreen = recordScreen<CopiedOwner>({
  ...sharedSpec,
  useRows: ({ page, limit }) => pageOf(owners.useListCopied({ query: { page, limit } })),
  useMore: () => ({ buttons: <Link to={screens.copyOwners.path}>Copy owners</Link> }),
});

/**
 * /owners/copied: which owners were copied, from which business to which, when and by whom (docs/specification.md
 * §6.6). An admin sees all copies, a business its own.
 */
export function CopiedOwnersPage() {
  return useSession()?.role === 'admin' ? <AdminScreen /> : <BusinessScreen />;
}
