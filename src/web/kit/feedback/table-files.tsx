import { useState, type ReactNode } from 'react';
import { Download } from 'lucide-react';
import type { FileFormat } from '../../../shared/calc/file-names.ts';
import type { Endpoint } from '../../../shared/contract/define.ts';
import { ActionButton } from '../actions/action-button.tsx';
import { useActions, type Action } from '../actions/registry.ts';
import { DownloadStatus, fileMessages, useFileDownload, type FileDownload } from './file-download.tsx';
import { notify } from './toast.ts';

type Messages = Pick<FileDownload, 'done' | 'failed' | 'notSaved' | 'cancelled'>;

interface TableFiles {
  /** The heading of the commands in the help, and the beginning of their ids. */
  scope: string;
  id: string;
  /** The specification has one word for the challan list and another for the rest. */
  verb?: 'Export' | 'Download';
  /** Asks the server for the file, which has the columns and the order of the table. */
  get: (format: FileFormat, options: Parameters<FileDownload['get']>[0]) => ReturnType<FileDownload['get']>;
  /** The number of rows in the file; undefined while they are not counted. */
  total: number | undefined;
  /** The file's name without its ending, where the server gives none. */
  fallbackName: string;
  messages?: Readonly<Record<FileFormat, Messages>>;
  calls?: Readonly<Record<FileFormat, Endpoint>>;
  disabledReason?: string | undefined;
  /** Why there is no file although the commands are enabled; it is said when one is pressed. */
  refusal?: string | undefined;
}

const formats = {
  xlsx: { name: 'Excel', id: 'excel', keys: 'Ctrl+Shift+E', words: 'export download file xlsx' },
  csv: { name: 'CSV', id: 'csv', keys: 'Ctrl+E', words: 'export download file' },
} as const;

/** The two files of a table, Excel and CSV: their commands, which are active while the screen is shown, buttons and progress. */
export function useTableFiles(files: TableFiles): {
  buttons: ReactNode;
  status: ReactNode;
  download: (format: FileFormat) => void;
  isRunning: boolean;
} {
  const { scope, id, verb = 'Download', total, fallbackName, messages = fileMessages, calls, refusal } = files;
  const { progress, start, cancel } = useFileDownload();
  const [format, setFormat] = useState<FileFormat>('xlsx');
  const nounOf = (of: FileFormat): string => `${formats[of].name} ${verb.toLowerCase()}`;
  const download = (chosen: FileFormat): void => {
    if (refusal !== undefined) {
      notify.error(refusal);
      return;
    }
    setFormat(chosen);
    start({
      get: (options) => files.get(chosen, options),
      total,
      countsLines: chosen === 'csv',
      fallbackName: `${fallbackName}.${chosen}`,
      ...messages[chosen],
    });
  };
  const actionOf = (of: FileFormat): Action => ({
    scope,
    id: `${id}.${formats[of].id}`,
    label: `${verb} ${formats[of].name}`,
    keys: formats[of].keys,
    words: formats[of].words,
    needsRows: true,
    ...(calls && { calls: calls[of] }),
    disabledReason: files.disabledReason ?? (progress && `The ${verb.toLowerCase()} is still running`),
    run: () => download(of),
  });
  const actions = [actionOf('xlsx'), actionOf('csv')];
  useActions(actions);
  return {
    buttons: actions.map((action) => (
      <ActionButton action={action} key={action.id} icon={Download} busy={progress !== undefined} />
    )),
    download,
    isRunning: progress !== undefined,
    status: <DownloadStatus label={nounOf(format)} progress={progress} onCancel={cancel} />,
  };
}
