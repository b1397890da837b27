import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { countText, formatCount } from '../../../shared/calc/count-text.ts';
import { TABLE_MAX_ROWS, tableFileTypes, isTableName } from '../../../shared/reading/tables.ts';
import type { ScreenId } from '../../../shared/contract/nouns.ts';
import { importNouns, importFields } from '../../../shared/sheet/import-fields.ts';
import { importKinds, type ImportKind } from '../../../shared/contract/imports.ts';
import type { Batch } from '../../../shared/contract/batches.ts';
import { useLeaveGuard } from '../../kit/feedback/leave-guard.ts';
import { useUndoBatch } from '../../kit/feedback/undo-batch.tsx';
import { url, useUrlState } from '../../kit/filters/url-state.ts';
import { screens } from '../../screens.ts';
import { Page } from '../../kit/ui/page.tsx';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { CheckStep } from './check-step.tsx';
import { ColumnsStep } from './columns-step.tsx';
import { readAsOf, rememberColumns, rowsOf, type Source, makeSource, pastedSheet } from './import-source.ts';
import { ReadAgain, useReadSource } from './read-source.tsx';
import { useImport } from './use-import.ts';
import { Download, FileUp } from 'lucide-react';
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
import { FileInput } from '../../kit/ui/file-input.tsx';

const urlShape = { kind: url.oneOf<ImportKind>(importKinds, 'owners') };
/** The screen that shows what was imported. */
const resultScreens: Readonly<Record<ImportKind, { screen: ScreenId; label: string }>> = {
  owners: { screen: 'owners', label: 'Show owners' },
  trucks: { screen: 'trucks', label: 'Show trucks' },
  tags: { screen: 'tags', label: 'Show tags' },
  'petrol-pumps': { screen: 'petrolPumps', label: 'Show petrol pumps' },
  challans: { screen: 'challans', label: 'Show past challans' },
  // Each opening balance is shown in the statement of its owner.
  'opening-balances': { screen: 'accounting', label: 'Show accounting' },
  declarations: { screen: 'declarations', label: 'Show declarations' },
};

export interface Imported {
  kind: ImportKind;
  batch: Pick<Batch, 'id' | 'number' | 'title'>;
  /** How many rows were left out. They stay on the screen. */
  leftCount: number;
}

/**
 * /import (docs/specification.md §22.4): the user chooses a file or pastes rows, assigns the columns, sees the check,
 * and imports the rows that are right.
 */
export function ImportPage() {
  const [{ kind }, setUrl] = useUrlState(urlShape);
  const [source, setSource] = useState<Source>();
  const [imported, setImported] = useState<Imported>();
  const { undo, dialog } = useUndoBatch();
  const noticeRef = useRef<HTMLDivElement>(null);
  const work = useImport(kind, source, (batch, leftCount) => {
    setImported({ kind, batch, leftCount });
    if (leftCount === 0) setSource(undefined);
  });
  const { checked } = work;
  useLeaveGuard(source !== undefined, 'The rows and your changes to them will be lost.');
  useLayoutEffect(() => {
    if (imported) noticeRef.current?.focus();
  }, [imported]);

  const startAgain = (): void => {
    work.discardCheck();
    setSource(undefined);
  };
  const check = (from: Source): void => {
    rememberColumns(kind, from);
    setImported(undefined);
    work.check(rowsOf(kind, from));
  };
  const [nouns] = importNouns[kind];

  return (
    <Page
      fill={checked !== undefined}
      title="Import"
      aside={
        source && (
          <p className="min-w-0 truncate text-muted">
            {[`${nouns} from ${source.name}`, readAsOf(source)].filter(Boolean).join(' · ')}
          </p>
        )
      }
      actions={<Link to={screens.pastImports.path}>Past imports and sheets</Link>}
    >
      {imported && (
        <Alert
          ref={noticeRef}
          tone="good"
          title={`${imported.batch.number}: ${imported.batch.title}`}
          onClose={() => setImported(undefined)}
          actions={
            <>
              <Link to={screens[resultScreens[imported.kind].screen].path}>{resultScreens[imported.kind].label}</Link>
              <Button
                size="sm"
                onClick={() =>
                  void undo(imported.batch).then((isDone) => {
                    if (isDone) setImported(undefined);
                  })
                }
              >
                Undo
              </Button>
            </>
          }
        >
          {imported.leftCount > 0 &&
            `${countText(imported.leftCount, 'row')} ${imported.leftCount === 1 ? 'was' : 'were'} left out. They stay below: correct and import them, or save them as a file.`}
        </Alert>
      )}
      {work.busy && (
        <Alert
          tone="info"
          title={work.busy.title}
          actions={
            <Button size="sm" onClick={work.cancel}>
              Cancel
            </Button>
          }
        >
          {work.busy.note}
        </Alert>
      )}
      {source === undefined && (
        <StartStep
          kind={kind}
          onKind={(next) => setUrl({ kind: next }, { replace: true })}
          onSource={(next) => {
            setImported(undefined);
            setSource(next);
          }}
        />
      )}
      {source !== undefined && checked === undefined && (
        <>
          <ReadAgain kind={kind} source={source} onSource={setSource} />
          <ColumnsStep
            kind={kind}
            source={source}
            isBusy={work.busy !== undefined}
            mostRows={TABLE_MAX_ROWS}
            onChange={setSource}
            onCheck={() => check(source)}
            onStartAgain={startAgain}
          />
        </>
      )}
      {source && checked && (
        // After an import the rows that are left begin anew.
        <CheckStep key={imported?.batch.id} kind={kind} source={source} work={work} checked={checked} />
      )}
      {dialog}
    </Page>
  );
}

interface StartStepProps {
  kind: ImportKind;
  onKind: (kind: ImportKind) => void;
  onSource: (source: Source) => void;
}

const kinds = importKinds.map((value) => ({ value, label: importNouns[value][0] }));

/** The first step: the kind of records, and a file or copied cells to import. */
function StartStep({ kind, onKind, onSource }: StartStepProps) {
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
