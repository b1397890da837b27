import { useCallback } from 'react';
import { FileOutput } from 'lucide-react';
import { Link, useNavigate } from 'react-router-dom';
import { countText } from '../../../shared/calc/count-text.ts';
import { tallyChangedColumns } from '../../../shared/columns/tally-columns.ts';
import type { TallyChanged, TallyExport } from '../../../shared/contract/tally.ts';
import type { FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { tallyChangedFilters } from '../../../shared/filters/tally-filters.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import type { Action } from '../../kit/actions/registry.ts';
import { newIdempotencyKey } from '../../kit/api/idempotency-key.ts';
import { confirm } from '../../kit/feedback/confirm.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import type { ListQuery } from '../../kit/records/record-place.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { tally } from '../../resources/tally.ts';
import { screens } from '../../screens.ts';
import { listFilters } from '../filters/index.ts';
import { notCertified, useTallyFile } from './use-tally-file.tsx';

// Safe: the address was parsed with the same filters.
const filtersOf = ({ filters }: ListQuery) => filters as Partial<FilterTexts<typeof tallyChangedFilters>>;

const useChanged = (ask: ListQuery) =>
  tally.useListChanged({ query: { page: ask.page, limit: ask.limit, ...filtersOf(ask) } });

/** /accounting/tally/changed: what is not in Tally as it is now (docs/specification.md §31.3). */
export const TallyChangedPage = recordScreen<TallyChanged>({
  screen: 'tallyChanged',
  noun: ['change', 'changes'],
  columns: tallyChangedColumns,
  filters: listFilters(tallyChangedFilters),
  useRows: (ask) => pageOf(useChanged(ask)),
  failed: { list: 'Failed to fetch what changed' },
  empty: {
    title: 'Nothing has changed since it was exported',
    text: 'Challans and payments that are changed, deleted, taken back or added after their days went out to Tally are listed here.',
    actions: <Link to={screens.tally.path}>Open Tally</Link>,
  },
  useMore: ({ ask }) => {
    const navigate = useNavigate();
    const count = useChanged(ask).data?.pagination.totalCount ?? 0;
    const { download, status } = useTallyFile();
    const { mutateAsync: create } = tally.useCreate();
    const filters = filtersOf(ask);
    const run = async (): Promise<void> => {
      const idempotencyKey = newIdempotencyKey();
      let made: TallyExport | undefined;
      await confirm({
        title: `Make a file of ${countText(count, 'change')}?`,
        body: <>{notCertified}Each voucher of these changes is in it whole, as it is now.</>,
        confirmLabel: 'Make File',
        act: async () => {
          made = (await create({ body: { what: { kind: 'changed', ...filters } }, idempotencyKey })).data;
        },
        failed: 'Failed to make the file',
      });
      if (!made) return;
      notify.success(`${made.number} made`);
      download(made);
    };
    const make: Action = {
      id: 'tally-changed.make',
      label: 'New File of These',
      keys: 'N',
      scope: screens.tallyChanged.name,
      words: 'export xml again',
      calls: tally.calls.create,
      disabledReason: count === 0 ? 'Nothing is listed' : undefined,
      run: () => void run(),
    };
    return {
      onOpen: useCallback(
        ({ record, recordId }: TallyChanged) =>
          void navigate(`${(record === 'challan' ? screens.challans : screens.payments).path}?open=${recordId}`),
        [navigate],
      ),
      actions: [make],
      aside: status,
      buttons: (
        <>
          <Link className="text-sm underline underline-offset-2" to={screens.tally.path}>
            {screens.tally.name}
          </Link>
          <ActionButton action={make} variant="primary" icon={FileOutput} />
        </>
      ),
    };
  },
});
