import { useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { clsx } from 'clsx';
import { ChevronDown, ChevronUp, FolderOpen, Redo2, Undo2 } from 'lucide-react';
import { countText, formatCount } from '../../../../shared/calc/count-text.ts';
import { formatDateTime } from '../../../../shared/calc/dates.ts';
import { formatINR } from '../../../../shared/calc/money.ts';
import { isBlank } from '../../../../shared/sheet/sheet.ts';
import { challanSheetCommands } from '../challan-sheet-actions.ts';
import { useCommands } from '../../../kit/actions/registry.ts';
import { ActionButton } from '../../../kit/actions/action-button.tsx';
import type { Action } from '../../../kit/actions/registry.ts';
import { readAs, tableFileTypes } from '../../../../shared/reading/tables.ts';
import { tables } from '../../../resources/tables.ts';
import { usePreference } from '../../../kit/api/account-storage.ts';
import { useLeaveGuard } from '../../../kit/feedback/leave-guard.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import {
  OwnerFormDialog,
  PetrolPumpFormDialog,
  TagFormDialog,
  TruckFormDialog,
  MapDialog,
  useFocusWhenFound,
} from '../../master-data/index.ts';
import { SheetGrid } from '../../../kit/grid/sheet-grid.tsx';
import type { SheetGridHandle } from '../../../kit/grid/sheet-grid-types.ts';
import { useSheetChoice } from '../../../kit/sheet/choose-sheet.tsx';
import { Page } from '../../../kit/ui/page.tsx';
import { FileInput } from '../../../kit/ui/file-input.tsx';
import { Alert } from '../../../kit/ui/alert.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { useFileDrop } from '../../../kit/ui/use-file-drop.ts';
import { CommitNotice } from './commit-notice.tsx';
import { MappingBar } from './mapping-bar.tsx';
import { problemCounts, ProblemList } from './problem-list.tsx';
import { gridColumns, sheetLabels } from './sheet-columns.ts';
import { namesOf } from './sheet-names.ts';
import type { SheetStore } from './sheet-store.ts';
import { summarise, type SheetSpot, type SheetSummary, type UnknownName } from './sheet-summary.ts';
import { useCommit } from './use-commit.ts';
import { useSheet, useSheetDraft } from './use-sheet.ts';

const leaveText = 'Your rows are kept as a draft and offered when you come back.';

/** /challans/sheet (docs/specification.md §21): many challans typed or pasted as in a spreadsheet. */
export function ChallanSheetPage() {
  const grid = useRef<SheetGridHandle>(null);
  const fileInput = useRef<HTMLInputElement>(null);
  const { store, snapshot, commands, takeTable, setColumns, leaveOutColumns, mapTo } = useSheet(grid);
  const draft = useSheetDraft(store, snapshot.sheet);
  const [creating, setCreating] = useState<UnknownName>();
  const [mapping, setMapping] = useState<UnknownName>();
  const summary = useSummary(store, snapshot.version);
  useLeaveGuard(!snapshot.sheet.rows.every(isBlank), leaveText);

  // When an unknown name is resolved, its focused button disappears. The focus then returns to the selection in the
  // sheet.
  useFocusWhenFound(summary.unknown.length, () => grid.current?.select(grid.current.area()));
  const goTo = useCallback(
    ({ row, column }: SheetSpot): void => {
      showNeeded(store.neededColumns(), grid.current);
      grid.current?.go(row, Math.max(0, store.inSight.indexOf(column)));
    },
    [store],
  );
  useEffect(() => showNeeded(summary.needed, grid.current), [summary.needed]);
  const problems = useMemo(
    () => <ProblemList summary={summary} onGo={goTo} onCreate={setCreating} onMap={setMapping} />,
    [summary, goTo],
  );
  const [isOpen, setOpen] = usePreference('challan-sheet.problems', true);
  const counts = useMemo(() => problemCounts(summary), [summary]);
  const commit = useCommit(store, {
    ...draft,
    goToFirstError: () => {
      showNeeded(store.neededColumns(), grid.current);
      const first = store.findError({ row: -1, column: 0 }, 1);
      if (first) grid.current?.go(first.row, first.column);
    },
    goToFirstCell: () => grid.current?.go(0, 0),
  });
  const readFile = tables.useRead();
  const { chooseSheet, dialog: sheetDialog } = useSheetChoice();
  const openFile = async (file: File): Promise<void> => {
    try {
      const { data } = await readFile.mutateAsync({ file });
      const at = await chooseSheet(file.name, data.sheets);
      const sheet = at === undefined ? undefined : data.sheets[at];
      if (at === undefined || !sheet) return;
      takeTable({ ...sheet, table: sheet.rows });
      notify.info(`${file.name}: ${readAs(data.kind, data.sheets, at)}`);
    } catch (error) {
      notify.error(error, 'Failed to read the file');
    }
  };
  const isOver = useFileDrop((files) => {
    const [file] = files;
    if (files.length > 1) notify.warning(`${files.length} files were given. Choose one file at a time.`);
    else if (file) void openFile(file);
  }, !readFile.isPending);

  const hasProblems = counts.length > 0;
  // Memoised, because its button is drawn by the table, which is slow to draw again.
  const listing = useMemo(
    () => ({
      label: isOpen ? 'Hide Problems' : 'Show Problems',
      disabledReason: hasProblems ? undefined : 'There are no problems',
      run: () => setOpen(!isOpen),
    }),
    [isOpen, hasProblems, setOpen],
  );
  const { undoLabel, redoLabel } = snapshot;
  const actions = useCommands(challanSheetCommands, {
    commit: {
      disabledReason: commit.isBusy ? 'The challans are being created' : undefined,
      run: () => {
        grid.current?.saveTyped();
        commit.commit();
      },
    },
    openFile: () => fileInput.current?.click(),
    undo: {
      note: undoLabel,
      disabledReason: undoLabel === undefined ? 'There is nothing to undo' : undefined,
      run: () => void store.undo(),
    },
    redo: {
      note: redoLabel,
      disabledReason: redoLabel === undefined ? 'There is nothing to redo' : undefined,
      run: () => void store.redo(),
    },
    next: () => grid.current?.goToError(1),
    previous: () => grid.current?.goToError(-1),
    problems: listing,
  });
  const { source } = snapshot.sheet;
  const footer = useMemo(
    () => <ProblemLine counts={counts} action={{ ...challanSheetCommands.problems, ...listing }} isOpen={isOpen} />,
    [counts, listing, isOpen],
  );

  return (
    <Page
      fill
      title="Entry Sheet"
      aside={<SheetFigures summary={summary} isAsking={snapshot.isAsking} />}
      actions={
        <>
          <FileInput
            inputRef={fileInput}
            label="File of challans"
            types={tableFileTypes}
            onFile={(file) => void openFile(file)}
          />
          <ActionButton action={actions.undo} icon={Undo2} tooltip={actions.undo.note} />
          <ActionButton action={actions.redo} icon={Redo2} tooltip={actions.redo.note} />
          <ActionButton action={actions.openFile} icon={FolderOpen} busy={readFile.isPending} />
          <ActionButton action={actions.commit} variant="primary" busy={commit.isBusy} />
        </>
      }
    >
      {draft.offer && (
        <Alert
          tone="info"
          title={`A draft from ${formatDateTime(new Date(draft.offer.savedAt))} was not saved`}
          actions={
            <>
              <Button
                size="sm"
                variant="primary"
                onClick={() => {
                  flushSync(() => draft.restore());
                  grid.current?.go(0, 0);
                }}
              >
                Restore
              </Button>
              <Button
                size="sm"
                onClick={() => {
                  flushSync(() => draft.discard());
                  grid.current?.go(0, 0);
                }}
              >
                Discard
              </Button>
            </>
          }
        >
          {countText(draft.offer.value.rows.length, 'row')}
        </Alert>
      )}
      {commit.result && (
        <CommitNotice result={commit.result} isBusy={commit.isBusy} onUndo={commit.undo} onClose={commit.dismiss} />
      )}
      {snapshot.askFailure && (
        <Alert
          tone="warn"
          title="Names and duplicates could not be checked"
          actions={
            <Button size="sm" busy={snapshot.isAsking} onClick={() => void store.settled()}>
              Retry
            </Button>
          }
        >
          {snapshot.askFailure.text}
        </Alert>
      )}
      {source && source.headings.some((heading) => heading !== '') && (
        <MappingBar
          source={source}
          onChange={setColumns}
          onLeaveOut={() => {
            leaveOutColumns();
            // The button disappears with the focus.
            grid.current?.select(grid.current.area());
          }}
        />
      )}
      <div
        className={clsx(
          'relative flex min-h-0 flex-1 flex-col gap-2 rounded-lg',
          isOver && 'outline-2 outline-primary',
        )}
      >
        {isOver && (
          <p className="absolute top-16 left-1/2 z-10 -translate-x-1/2 rounded-lg border border-line bg-raised px-4 py-2 font-medium shadow-float">
            Drop the file to add its rows to the sheet
          </p>
        )}
        <SheetGrid
          ref={grid}
          label="Challans to create"
          columns={gridColumns}
          memoryKey="challan-sheet"
          onColumns={store.setInSight}
          rowKeys={snapshot.rowKeys}
          view={store.view}
          textOf={store.textOf}
          toneOf={store.toneOf}
          namesOf={namesOf}
          isPassedOver={store.isPassedOver}
          commands={commands}
          footer={footer}
        />
        {isOpen && problems}
      </div>
      {sheetDialog}
      {creating && (
        <CreateUnknown
          name={creating}
          store={store}
          onClose={() => setCreating(undefined)}
          onSaved={(text, contactNumber) => {
            setCreating(undefined);
            if (text !== creating.text) mapTo(creating, { text, contactNumber });
            store.askAgain(creating.kind);
          }}
        />
      )}
      {mapping && (
        <MapDialog
          name={mapping}
          onClose={() => setMapping(undefined)}
          onMap={(to) => {
            setMapping(undefined);
            mapTo(mapping, to);
          }}
        />
      )}
    </Page>
  );
}

/** Computes the summary a moment after each edit, so that the typed key is drawn first. */
function useSummary(store: SheetStore, version: number): SheetSummary {
  const [summary, setSummary] = useState(() => summarise(store));
  const summarisedVersion = useRef(version);
  useEffect(() => {
    if (summarisedVersion.current === version) return undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => {
        summarisedVersion.current = version;
        setSummary(summarise(store));
      });
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [store, version]);
  return summary;
}

/** Shows the hidden columns again that must be seen, and says why. */
function showNeeded(needed: SheetSummary['needed'], grid: SheetGridHandle | null): void {
  const [first] = needed;
  if (!first) return;
  grid?.show(needed.map(({ column }) => column));
  const names = needed.map(({ column }) => sheetLabels[column]).join(', ');
  const why = `row ${first.row + 1} has a ${first.isProblem ? 'problem' : 'value'} there`;
  notify.info(
    needed.length === 1
      ? `${names} is shown again: ${why}.`
      : `${names} are shown again: rows have values or problems there.`,
  );
}

interface ProblemLineProps {
  counts: readonly string[];
  action: Action;
  isOpen: boolean;
}

/** The line below the rows: how many problems there are, also while their list is closed. */
function ProblemLine({ counts, action, isOpen }: ProblemLineProps) {
  return (
    <>
      <ActionButton action={action} size="sm" icon={isOpen ? ChevronDown : ChevronUp} />
      <p className="nums min-w-0 truncate">{counts.length === 0 ? 'No problems' : counts.join(', ')}</p>
    </>
  );
}

/** The state of the sheet in one line. */
function SheetFigures({ summary, isAsking }: { summary: SheetSummary; isAsking: boolean }): ReactNode {
  const { used, ready, wrong, net } = summary;
  if (used === 0) return <p className="text-muted">Type, paste from a spreadsheet, or open a file</p>;
  return (
    <p className="nums flex flex-wrap gap-x-3">
      <span>{countText(used, 'row')}</span>
      <span className="text-good">{formatCount(ready.length)} right</span>
      {wrong > 0 && <span className="font-medium text-danger">{formatCount(wrong)} wrong</span>}
      <span>Net {formatINR(net)}</span>
      {isAsking && <span className="text-muted">Checking …</span>}
    </p>
  );
}

interface CreateProps {
  name: UnknownName;
  store: SheetStore;
  onClose: () => void;
  onSaved: (text: string, contactNumber?: string) => void;
}

/** The form of the record, with the name filled in. */
function CreateUnknown({ name: { kind, text, first }, store, onClose, onSaved }: CreateProps) {
  const dialogProps = { entriesKey: `challan-sheet.${kind}`, onClose };
  const texts = store.of(store.snapshot().rowKeys[first.row] ?? '')?.texts;
  if (kind === 'tag')
    return <TagFormDialog {...dialogProps} start={{ name: text }} onSaved={({ name }) => onSaved(name)} />;
  if (kind === 'petrolPump') {
    return <PetrolPumpFormDialog {...dialogProps} start={{ name: text }} onSaved={({ name }) => onSaved(name)} />;
  }
  if (kind === 'vehicle') {
    const [owner = null] = store.lookups.owners(texts?.ownerName ?? '') ?? [];
    return (
      <TruckFormDialog
        {...dialogProps}
        start={{ truckNumber: text, owner }}
        onSaved={({ truckNumber }) => onSaved(truckNumber)}
      />
    );
  }
  const contactNumber = texts?.ownerName === text ? texts.ownerContactNumber : '';
  return (
    <OwnerFormDialog
      {...dialogProps}
      start={{ name: text, contactNumber }}
      onSaved={(owner) => onSaved(owner.name, owner.contactNumber)}
    />
  );
}
