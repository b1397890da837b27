import { useLayoutEffect, useRef } from 'react';
import { Download, FileUp } from 'lucide-react';
import { TABLE_MAX_ROWS } from '../../../shared/calc/tables.ts';
import { importFields, importNouns } from '../../../shared/sheet/import-fields.ts';
import { importKinds, type ImportKind } from '../../../shared/contract/imports.ts';
import { tables } from '../../api/tables.ts';
import { imports } from '../../api/imports.ts';
import { useImportStartActions } from '../../actions/import.ts';
import { buttonOf } from '../../actions/registry.ts';
import { call, saveFile } from '../../api/client.ts';
import { notify } from '../../feedback/toast.ts';
import { clipboardOf, readClipboard } from '../../sheet/clipboard.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select-field.tsx';
import { isDialogOpen, useFileDrop } from '../../ui/use-file-drop.ts';
import { sourceOf, type Source } from './import-source.ts';

interface StartStepProps {
  kind: ImportKind;
  onKind: (kind: ImportKind) => void;
  onSource: (source: Source) => void;
}

const kinds = importKinds.map((value) => ({ value, label: importNouns[value][0] }));
const nothing = 'There is no row in it.';

/** What is imported, and where it comes from: a file, or cells that were copied. */
export function StartStep({ kind, onKind, onSource }: StartStepProps) {
  const input = useRef<HTMLInputElement>(null);
  const read = tables.useRead();
  const take = (source: Source | undefined): void => {
    if (source) onSource(source);
    else notify.warning(nothing);
  };
  const open = async (file: File): Promise<void> => {
    try {
      const { data } = await read.mutateAsync({ file });
      take(sourceOf(kind, file.name, data.sha256, data.sheets));
    } catch (error) {
      notify.error(error, 'Failed to read the file');
    }
  };
  const template = async (): Promise<void> => {
    try {
      saveFile(await call(imports.calls.template, { query: { kind } }), `${kind}-template.xlsx`);
    } catch (error) {
      notify.error(error, 'Failed to download the template');
    }
  };

  useFileDrop((files) => {
    const [file] = files;
    if (files.length > 1) notify.warning(`${files.length} files were given. Choose one file at a time.`);
    else if (file) void open(file);
  }, !read.isPending);
  const latest = useRef({ take, kind });
  useLayoutEffect(() => {
    latest.current = { take, kind };
  });
  useLayoutEffect(() => {
    const paste = (event: ClipboardEvent): void => {
      // Copied cells come with a picture of themselves; a copied file may come with its name as text.
      const hasTableFile = [...(event.clipboardData?.files ?? [])].some(({ name }) => /\.(csv|xlsx|xls)$/i.test(name));
      if (hasTableFile || isDialogOpen()) return;
      const table = readClipboard(clipboardOf(event.clipboardData));
      if (!table) return;
      event.preventDefault();
      const now = latest.current;
      now.take(sourceOf(now.kind, 'Pasted rows', null, [{ name: 'Pasted rows', rows: table }]));
    };
    // Before the files of the same paste are looked at.
    window.addEventListener('paste', paste, { capture: true });
    return () => window.removeEventListener('paste', paste, { capture: true });
  }, []);

  const actions = useImportStartActions({ choose: () => input.current?.click(), template: () => void template() });
  const [nouns] = importNouns[kind];
  return (
    <section
      aria-label="What to import"
      className="grid max-w-3xl gap-2 rounded-lg border border-line bg-surface p-4 shadow-card"
    >
      <div className="max-w-xs">
        <Select label="Records" value={kind} options={kinds} onValueChange={onKind} />
      </div>
      <input
        ref={input}
        type="file"
        accept=".csv,.xlsx,.xls"
        aria-label={`File of ${nouns.toLowerCase()}`}
        className="hidden"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = '';
          if (file) void open(file);
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          icon={<FileUp size={14} aria-hidden />}
          busy={read.isPending}
          {...buttonOf(actions.choose)}
        >
          {actions.choose.label}
        </Button>
        <Button icon={<Download size={14} aria-hidden />} {...buttonOf(actions.template)}>
          {actions.template.label}
        </Button>
      </div>
      <p className="max-w-prose text-muted">
        A .csv, .xlsx or .xls file, dropped here too; or copy the cells in the spreadsheet, with their headings, and
        press Ctrl+V. At most {TABLE_MAX_ROWS.toLocaleString('en-IN')} rows at once. Nothing is saved before you have
        seen the check.
      </p>
      <p className="max-w-prose text-muted">
        Columns that are known: {importFields[kind].map(({ label }) => label).join(', ')}.
      </p>
    </section>
  );
}
