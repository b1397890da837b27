import { Link } from 'react-router-dom';
import { copiedOwnerColumns } from '../../../shared/columns/record-columns.ts';
import type { CopiedOwner } from '../../../shared/contract/owners.ts';
import { owners } from '../../api/owners.ts';
import { pageOf } from '../../records/record-rows.ts';
import { recordScreen, type RecordScreenSpec } from '../../records/record-screen.tsx';
import { screens } from '../../screens.ts';
import { useSession } from '../../session/session.ts';

const both: Omit<RecordScreenSpec<CopiedOwner>, 'useRows'> = {
  screen: 'copiedOwners',
  noun: ['owner', 'owners'],
  columns: copiedOwnerColumns,
  failed: { list: 'Failed to fetch copied owners' },
  empty: {
    title: 'No owners were copied yet',
    text: 'Owners that one business copies from another leave a line here.',
  },
};

const OfAll = recordScreen<CopiedOwner>({
  ...both,
  useRows: ({ page, limit }) => pageOf(owners.useListAllCopied({ query: { page, limit } })),
});

const OfBusiness = recordScreen<CopiedOwner>({
  ...both,
  useRows: ({ page, limit }) => pageOf(owners.useListCopied({ query: { page, limit } })),
  useMore: () => ({ buttons: <Link to={screens.copyOwners.path}>Copy owners</Link> }),
});

/** /owners/copied (docs/specification.md §6.6): from whom to whom, when and by whom; an admin sees all of it. */
export function CopiedOwnersPage() {
  return useSession()?.role === 'admin' ? <OfAll /> : <OfBusiness />;
}
