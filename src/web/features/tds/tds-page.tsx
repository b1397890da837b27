import { listFilters } from '../filters/index.ts';
import { lazy, useCallback, useMemo } from 'react';
import { ListTree, Settings2 } from 'lucide-react';
import { Link, useNavigate } from 'react-router-dom';
import { LazyDialog } from '../../kit/actions/lazy-dialog.tsx';
import { tdsColumns } from '../../../shared/columns/tds-columns.ts';
import { tdsSorts, type TdsLine } from '../../../shared/contract/tds.ts';
import type { FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { tdsFilters } from '../../../shared/filters/tds-filters.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import type { Action } from '../../kit/actions/registry.ts';
import { tds } from '../../resources/tds.ts';
import { addressOf, url, useUrlState } from '../../kit/filters/url-state.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import type { ListQuery } from '../../kit/records/record-place.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { screens } from '../../screens.ts';
import { CountedPeriod } from './counted-period.tsx';
import { useTdsFiles } from './use-tds-files.ts';

const TdsSettingsDialog = lazy(() => import('./tds-settings-dialog.tsx'));

/** Whether the settings are open. The profile links to them. */
const urlShape = { settings: url.oneOf(['', 'open'], '') };

// Safe: the address was parsed with the same filters.
const filtersOf = ({ filters }: ListQuery) => filters as Partial<FilterTexts<typeof tdsFilters>>;

function useRegister(ask: ListQuery) {
  const { page, limit, sortBy, sortOrder } = ask;
  const order = tdsSorts.find((key) => key === sortBy) ?? 'ownerName';
  return tds.useList({ query: { page, limit, sortBy: order, sortOrder, ...filtersOf(ask) } });
}

/** /accounting/tds: lists the deducted tax by PAN and percentage (docs/specification.md §27). */
export const TdsPage = recordScreen<TdsLine>({
  screen: 'tds',
  noun: ['line', 'lines'],
  columns: tdsColumns,
  filters: listFilters(tdsFilters),
  sorts: { keys: tdsSorts, by: 'ownerName' },
  useRows: (ask) => {
    const query = useRegister(ask);
    return { ...pageOf(query), totals: query.data && { ...query.data.totals } };
  },
  failed: { list: 'Failed to fetch the TDS register' },
  empty: {
    title: 'No deductions in this financial year',
    text: 'Challans are summed up here by PAN and percentage once they are paid, or once they are deposited, as chosen in TDS Settings.',
    actions: <Link to={screens.bankStatement.path}>Open bank statement</Link>,
  },
  useMore: ({ ask }) => {
    const { data } = useRegister(ask);
    const navigate = useNavigate();
    const [{ settings: settingsState }, setUrl] = useUrlState(urlShape);
    const setSettingsOpen = (isOpen: boolean): void => setUrl({ settings: isOpen ? 'open' : '' }, { replace: true });
    const { filters } = ask;
    const show = useCallback(
      ({ id }: TdsLine) => {
        // The search is left out, so that all challans of the line are shown.
        const { search: _, ...kept } = filters;
        void navigate(addressOf(screens.tdsDeductions.path, { line: id, ...kept }));
      },
      [navigate, filters],
    );
    const rowCommands = useMemo(
      () => [
        {
          id: 'deductions',
          title: 'Open the deductions of a line',
          label: 'Deductions',
          icon: <ListTree size={15} aria-hidden />,
          keys: 'Enter',
          run: show,
        },
      ],
      [show],
    );
    const files = useTdsFiles(screens.tds.name, filtersOf(ask), data?.totals.challanCount ?? 0);
    const settings: Action = {
      id: 'tds.settings',
      label: 'TDS Settings',
      keys: 'S',
      scope: screens.tds.name,
      words: 'section threshold basis day',
      run: () => setSettingsOpen(true),
    };
    return {
      ownFile: 'list',
      rowCommands,
      onOpen: show,
      actions: [settings],
      aside: (
        <>
          <CountedPeriod counted={data?.counted} />
          <Link className="text-sm underline underline-offset-2" to={screens.declarations.path}>
            {screens.declarations.name}
          </Link>
          <Link className="text-sm underline underline-offset-2" to={screens.tdsDeposits.path}>
            {screens.tdsDeposits.name}
          </Link>
          <Link className="text-sm underline underline-offset-2" to={screens.tally.path}>
            {screens.tally.name}
          </Link>
          {files.status}
        </>
      ),
      buttons: (
        <>
          <ActionButton action={settings} icon={Settings2} />
          {files.buttons}
        </>
      ),
      dialogs: settingsState !== '' && (
        <LazyDialog>
          <TdsSettingsDialog onClose={() => setSettingsOpen(false)} />
        </LazyDialog>
      ),
    };
  },
});
