import { tableFileTypes } from '../../../shared/reading/tables.ts';
import { useRef } from 'react';
import { Download, FileUp } from 'lucide-react';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { isTableName, TABLE_MAX_ROWS } from '../../../shared/reading/tables.ts';
import { importFields, importNouns } from '../../../shared/sheet/import-fields.ts';
import { importKinds, type ImportKind } from '../../../shared/contract/imports.ts';
import { imports } from '../../resources/imports.ts';
import { importKeys, importStartCommands } from './import-actions.ts';
import { useKeyHelp } from '../../kit/ui/key-table.ts';
import { useCommands } from '../../kit/actions/registry.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { call, saveFile } from '../../kit/api/client.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { clipboardOf, readClipboard, usePaste } from '../../kit/sheet/clipboard.ts';
import { Select } from '../../kit/ui/select-field.tsx';
import { isDialogOpen } from '../../kit/ui/dialog-stack.ts';
import { useFileDrop } from '../../kit/ui/use-file-drop.ts';
import { makeSource, pastedSheet, type Source } from './import-source.ts';
import { useReadSource } from './read-source.tsx';
import { FileInput } from '../../kit/ui/file-input.tsx';

interface StartStepProps {
  kind: ImportKind;
  onKind: (kind: ImportKind) => void;
  onSource: (source: Source) => void;
}

const kinds = importKinds.map((value) => ({ value, label: importNouns[value][0] }));

/** The first step: the kind of records, and a file or copied cells to import. */
export function StartStep({ kind, onKind, onSource }: StartStepProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  const { readFile, accept, isReading, dialog } = useReadSource(kind, onSource);
  const downloadTemplate = async (): Promise<void> => {
    try {
      saveFile(await call(imports.calls.template, { query: { kind } }), `${kind}-template.xlsx`);
    } catch (error) {
      notify.error(error, 'Failed to download the template');
    }
  };

  useFileDrop((files) => {
    const [file] = files;
    if (files.length > 1) notify.warning(`${files.length} files were given. Choose one file at a time.`);
    else if (file) void readFile(file);
  }, !isReading);
  usePaste((event) => {
    // Copied cells also contain a picture of themselves, and a copied file may also contain its name as text. So
    // only a file with the extension of a table counts as a file.
    const hasTableFile = [...(event.clipboardData?.files ?? [])].some(({ name }) => isTableName(name));
    if (hasTableFile || isDialogOpen()) return;
    const pasted = readClipboard(clipboardOf(event.clipboardData));
    if (!pasted) return;
    event.preventDefault();
    accept(makeSource(kind, { name: 'Pasted rows', sha256: null, kind: null }, [pastedSheet(pasted)], 0));
  });

  useKeyHelp('Where the rows come from', { paste: importKeys.paste });
  const actions = useCommands(importStartCommands, {
    choose: () => inputRef.current?.click(),
    template: () => void downloadTemplate(),
  });
  const [nouns] = importNouns[kind];
  return (
    <section
      aria-label="What to import"
      className="grid max-w-3xl gap-2 rounded-lg border border-line bg-surface p-4 shadow-card"
    >
      <div className="max-w-xs">
        <Select label="Records" value={kind} options={kinds} onValueChange={onKind} />
      </div>
      <FileInput
        inputRef={inputRef}
        label={`File of ${nouns.toLowerCase()}`}
        types={tableFileTypes}
        onFile={(file) => void readFile(file)}
      />
      <div className="flex flex-wrap gap-2">
        <ActionButton action={actions.choose} variant="primary" icon={FileUp} busy={isReading} />
        <ActionButton action={actions.template} icon={Download} />
      </div>
      <p className="max-w-prose text-muted">
        Choose or drop a .csv, .xlsx, .xls, .ods or .txt file, or copy cells with their headings in a spreadsheet and
        press Ctrl+V here. One import has at most {formatCount(TABLE_MAX_ROWS)} rows. Nothing is saved until you have
        seen the check.
      </p>
      <p className="max-w-prose text-muted">
        Recognised columns: {importFields[kind].map(({ label }) => label).join(', ')}.
      </p>
      {dialog}
    </section>
  );
}
