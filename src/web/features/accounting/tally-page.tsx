import { lazy, useMemo, useState } from 'react';
import { BookText, Download, FileOutput, ListPlus } from 'lucide-react';
import { Link } from 'react-router-dom';
import { tallyExportColumns } from '../../../shared/columns/tally-columns.ts';
import type { TallyExport } from '../../../shared/contract/tally.ts';
import { LazyDialog } from '../../kit/actions/lazy-dialog.tsx';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import type { Action } from '../../kit/actions/registry.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { tally } from '../../resources/tally.ts';
import { screens } from '../../screens.ts';
import { useTallyFile } from './use-tally-file.tsx';

const TallyExportDialog = lazy(() => import('./tally-export-dialog.tsx'));
const TallySettingsDialog = lazy(() => import('./tally-settings-dialog.tsx'));

/** /accounting/tally: the files made for Tally, and the names of its ledgers (docs/specification.md §31). */
export const TallyPage = recordScreen<TallyExport>({
  screen: 'tally',
  noun: ['file', 'files'],
  columns: tallyExportColumns,
  useRows: ({ page, limit }) => pageOf(tally.useList({ query: { page, limit } })),
  failed: { list: 'Failed to fetch the Tally files' },
  empty: {
    title: 'No files yet',
    text: 'Name the ledgers with S, then make a file of a period with N. Tally imports it, and what changes later is listed.',
    actions: <Link to={screens.tallyChanged.path}>{screens.tallyChanged.name}</Link>,
  },
  useMore: () => {
    const [open, setOpen] = useState<'export' | 'settings'>();
    const { download, status } = useTallyFile();
    const rowCommands = useMemo(
      () => [
        {
          id: 'download',
          title: 'Download a file again',
          label: 'Download',
          icon: <Download size={15} aria-hidden />,
          keys: 'Enter',
          run: (row: TallyExport) => download(row),
        },
      ],
      [download],
    );
    const scope = screens.tally.name;
    const make: Action = {
      id: 'tally.make',
      label: 'New File',
      keys: 'N',
      scope,
      words: 'export xml period month journal voucher',
      calls: tally.calls.create,
      run: () => setOpen('export'),
    };
    const settings: Action = {
      id: 'tally.settings',
      label: 'Ledgers',
      keys: 'S',
      scope,
      words: 'names mapping masters settings',
      run: () => setOpen('settings'),
    };
    const masters: Action = {
      id: 'tally.masters',
      label: 'Masters File',
      keys: 'M',
      scope,
      words: 'ledgers group first file',
      run: () => download(),
    };
    const close = (): void => setOpen(undefined);
    return {
      rowCommands,
      onOpen: download,
      actions: [make, settings, masters],
      aside: (
        <>
          <span className="text-sm text-warn">Not certified by Tally: import into a copy of the company first.</span>
          <Link className="text-sm underline underline-offset-2" to={screens.tallyChanged.path}>
            {screens.tallyChanged.name}
          </Link>
          {status}
        </>
      ),
      buttons: (
        <>
          <ActionButton action={settings} icon={BookText} />
          <ActionButton action={masters} icon={ListPlus} />
          <ActionButton action={make} variant="primary" icon={FileOutput} />
        </>
      ),
      dialogs: open && (
        <LazyDialog>
          {open === 'export' ? (
            <TallyExportDialog onClose={close} onMade={download} />
          ) : (
            <TallySettingsDialog onClose={close} />
          )}
        </LazyDialog>
      ),
    };
  },
});
