import { lazy, Suspense, useLayoutEffect, useId, useMemo, useRef, useState } from 'react';
import { FileUp, FileSpreadsheet, List } from 'lucide-react';
import { clsx } from 'clsx';
import { hsdUploadCommands, uploadKeys } from './hsd-verification-actions.ts';
import { LazyDialog } from '../../kit/actions/lazy-dialog.tsx';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { KeyHint } from '../../kit/ui/key-hint.tsx';
import { useKeyHelp } from '../../kit/ui/key-table.ts';
import { useCommands } from '../../kit/actions/registry.ts';
import { sizeText, type Sending, type useUpload } from './use-upload.ts';
import { RequestId } from '../../kit/ui/request-id.tsx';
import { hsdUploadColumns } from '../../../shared/columns/hsd-verification-columns.ts';
import type { HsdUpload } from '../../../shared/contract/hsd-verification.ts';
import { pagesOf } from '../../kit/api/create-resource.ts';
import { hsdVerification } from '../../resources/hsd-verification.ts';
import { limitValue } from '../../kit/filters/filter-values.ts';
import { usePageSize } from '../../kit/filters/page-size.ts';
import { formatINR, normalizeTyped } from '../../../shared/calc/money.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { MoneyField } from '../../kit/forms/amount-fields.tsx';
import { PetrolPumpPicker, type PetrolPumpChoice } from '../master-data/index.ts';
import { DataGrid } from '../../kit/grid/data-grid.tsx';
import type { RowAction } from '../../kit/grid/grid-types.ts';
import { gridStatusOf } from '../../kit/feedback/grid-status.ts';
import { url, useUrlState } from '../../kit/filters/url-state.ts';
import { EmptyState } from '../../kit/ui/empty-state.tsx';

interface UploadTabProps {
  upload: Omit<ReturnType<typeof useUpload>, 'start'>;
  pump: PetrolPumpChoice | null;
  onPump: (pump: PetrolPumpChoice | null) => void;
  /** A file is being dragged over the window. */
  isOver: boolean;
  /** Opens the file dialog of the browser. */
  onChoose: () => void;
  onFiles: (files: readonly File[]) => void;
  /** The reason why no file can be uploaded now. */
  disabledReason: string | undefined;
}

/** The first tab. A file can be chosen, dropped or pasted. Below are the earlier uploads. */
export function UploadTab({ upload, pump, onPump, isOver, onChoose, onFiles, disabledReason }: UploadTabProps) {
  const { sending, failure, pendingChoice, chooseColumns, cancelChoice, cancel, dismissFailure } = upload;
  const resendable = failure?.resendable;
  useKeyHelp('File to verify', uploadKeys);
  useCommands(hsdUploadCommands, { cancel: sending ? cancel : undefined });

  return (
    <>
      {failure && (
        <Alert
          title={failure.text}
          onClose={dismissFailure}
          className="shrink-0"
          actions={
            resendable && (
              <Button size="sm" disabledReason={disabledReason} onClick={() => onFiles([resendable])}>
                Upload again
              </Button>
            )
          }
        >
          {failure.fileName && <span className="break-all">{failure.fileName}</span>}
          <RequestId id={failure.requestId} />
        </Alert>
      )}
      <PumpChoice pump={pump} onPump={onPump} lockedReason={disabledReason} />
      {sending ? (
        <UploadProgress {...sending} onCancel={cancel} />
      ) : pendingChoice ? (
        <Suspense fallback={null}>
          <ColumnsChoice
            key={pendingChoice.columns.sheet}
            {...pendingChoice}
            pumpName={pump?.name}
            onChosen={(choice) => void chooseColumns(choice)}
            onSheet={(sheet) => void chooseColumns({ sheet })}
            onReadAgain={onChoose}
            onCancel={cancelChoice}
          />
        </Suspense>
      ) : (
        <DropZone isOver={isOver} onChoose={onChoose} disabledReason={disabledReason} />
      )}
      <PastUploads />
    </>
  );
}

/** Loaded lazily, because most files need no choice of columns. */
const ColumnsChoice = lazy(async () => ({ default: (await import('./columns-choice.tsx')).ColumnsChoice }));

interface PumpChoiceProps extends Pick<UploadTabProps, 'pump' | 'onPump'> {
  lockedReason: string | undefined;
}

/** The petrol pump of the next bill, and the tolerance for its amounts (docs/specification.md §11.4 and §11.5). */
function PumpChoice({ pump, onPump, lockedReason }: PumpChoiceProps) {
  return (
    <div data-print="hide" className="flex shrink-0 flex-wrap items-start gap-3">
      <PetrolPumpPicker
        label="Petrol Pump"
        className="w-72"
        reserve={false}
        lockedReason={lockedReason}
        value={pump}
        onPick={onPump}
      />
      {pump && <Tolerance key={pump.id} pumpId={pump.id} />}
    </div>
  );
}

/** The tolerance is saved for the pump when the field loses focus. */
function Tolerance({ pumpId }: { pumpId: string }) {
  const query = hsdVerification.useGetPumpSettings({ params: { id: pumpId } });
  const [typed, setTyped] = useState<string>();
  const stored = query.data?.data.tolerance;
  const saveSettings = hsdVerification.useSetPumpSettings({
    onSuccess: ({ data }) => notify.success(`Differences up to ${formatINR(data.tolerance)} now count as matches.`),
    onError: (error) => notify.error(error, 'Failed to set the tolerance'),
  });
  if (stored === undefined) return null;
  return (
    <MoneyField
      label="Tolerance"
      className="w-36"
      reserve={false}
      value={typed ?? stored}
      onValueChange={setTyped}
      onBlur={() => {
        const parsed = normalizeTyped(typed ?? stored);
        if ('error' in parsed || parsed.value === '' || parsed.value === stored) return;
        saveSettings.mutate({ params: { id: pumpId }, body: { tolerance: parsed.value } });
      }}
    />
  );
}

type DropZoneProps = Pick<UploadTabProps, 'isOver' | 'onChoose' | 'disabledReason'>;

function DropZone({ isOver, onChoose, disabledReason }: DropZoneProps) {
  const zoneRef = useRef<HTMLButtonElement>(null);
  const id = useId();
  // Takes the focus when the screen opens and after an upload removed the focused element, so that Enter opens the
  // file dialog.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) zoneRef.current?.focus({ preventScroll: true });
  }, []);

  return (
    <button
      ref={zoneRef}
      type="button"
      aria-labelledby={`${id}-name`}
      aria-describedby={`${id}-rules`}
      aria-disabled={disabledReason ? true : undefined}
      title={disabledReason}
      onClick={() => !disabledReason && onChoose()}
      className={clsx(
        'grid h-44 w-full shrink-0 place-items-center rounded-lg border-2 border-dashed px-6 text-center',
        isOver ? 'border-primary bg-primary-soft' : 'border-control/60 bg-surface hover:bg-hover',
        disabledReason && 'cursor-not-allowed opacity-60',
      )}
    >
      <span className="grid justify-items-center gap-1.5">
        <span className="mb-1 grid size-10 place-items-center rounded-full bg-primary-soft text-primary">
          <FileUp size={20} aria-hidden />
        </span>
        <span id={`${id}-name`} className="text-sm font-semibold">
          {isOver ? 'Drop the file to upload it' : "Choose the petrol pump's file, drop it here or paste it"}
        </span>
        <span id={`${id}-rules`} className="text-muted">
          Accepts .csv, .xlsx, .xls, max 10MB, needing &apos;TP No&apos; and &apos;Amount&apos; columns; .ods and .txt
          as well
        </span>
        <span aria-hidden className="mt-1 flex items-center gap-1.5 text-xs text-muted">
          <KeyHint keys="Enter" /> chooses a file <KeyHint keys="Ctrl+V" className="ml-2" /> pastes a copied file
        </span>
      </span>
    </button>
  );
}

/**
 * Shows the progress of the upload: the bytes sent, then that the server reads the file. It is as tall as the drop
 * zone that it replaces.
 */
function UploadProgress({ file, sent, total, onCancel }: Sending & { onCancel: () => void }) {
  const cancelRef = useRef<HTMLButtonElement>(null);
  // The drop zone had the focus and is no longer shown.
  useLayoutEffect(() => cancelRef.current?.focus({ preventScroll: true }), []);
  const isSent = sent !== undefined && total !== undefined && sent >= total;
  const share = sent !== undefined && total ? Math.floor((sent / total) * 100) : undefined;
  return (
    <div className="grid h-44 shrink-0 place-items-center rounded-lg border border-line bg-surface px-6 shadow-card">
      <div className="grid w-full max-w-md justify-items-center gap-2 text-center">
        <p role="status" className="max-w-full truncate text-sm font-semibold" title={file.name}>
          {isSent ? 'Reading' : 'Uploading'} {file.name}
        </p>
        <div
          role="progressbar"
          aria-label={isSent ? 'Reading the file' : 'Upload'}
          // While the server reads the file, the progress is unknown, so the bar has no value.
          aria-valuenow={isSent ? undefined : share}
          className="relative h-2 w-full overflow-hidden rounded-full bg-sunken"
        >
          {isSent || share === undefined ? (
            <div className="cd-progress absolute inset-0" />
          ) : (
            <div className="h-full bg-primary" style={{ width: `${share}%` }} />
          )}
        </div>
        <p className="nums min-h-5 text-muted">
          {isSent && 'The file was sent. Its rows are being compared with the challans.'}
          {!isSent && share !== undefined && `${sizeText(sent ?? 0)} of ${sizeText(total ?? 0)} (${share} %)`}
          {!isSent && share === undefined && sizeText(file.size)}
        </p>
        <Button ref={cancelRef} size="sm" keys="Esc" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

const urlShape = {
  page: url.number(1),
  limit: limitValue(),
};
const keyOf = (row: HsdUpload): string => row.id;

/** Loaded lazily, because most visits are for a new file. */
const UploadRowsDialog = lazy(() => import('./upload-rows-dialog.tsx'));

/** Lists earlier uploads: file, time, user and result. Each opens its rows. */
function PastUploads() {
  const [opened, open] = useState<HsdUpload>();
  const [state, setUrl] = useUrlState(urlShape);
  const { page } = state;
  const { limit, choose: chooseSize } = usePageSize('hsd-uploads', state.limit);
  const query = hsdVerification.useListUploads({ query: { page, limit } });
  const { data, isPlaceholderData } = query;
  const lastPage = Math.max(1, data?.pagination.totalPages ?? 1);
  const isPastEnd = data !== undefined && !isPlaceholderData && page > lastPage;
  useLayoutEffect(() => {
    if (isPastEnd) setUrl({ page: lastPage }, { replace: true });
  }, [isPastEnd, lastPage, setUrl]);

  const rowActions = useMemo<RowAction<HsdUpload>[]>(
    () => [{ id: 'rows', label: 'Rows', icon: <List size={15} aria-hidden />, keys: 'Enter', run: open }],
    [],
  );
  return (
    <div className="flex min-h-64 flex-1 flex-col gap-2">
      {opened && (
        <LazyDialog>
          <UploadRowsDialog upload={opened} onClose={() => open(undefined)} />
        </LazyDialog>
      )}
      <h2 className="font-semibold">Past Verifications</h2>
      <DataGrid<HsdUpload>
        label="Past Verifications"
        memoryKey="hsd-uploads"
        columns={hsdUploadColumns}
        rows={isPastEnd ? undefined : data?.data}
        keyOf={keyOf}
        status={gridStatusOf(query, 'Failed to fetch past verifications')}
        empty={
          <EmptyState icon={<FileSpreadsheet size={18} aria-hidden />} title="No file has been verified yet">
            Each uploaded file is listed here with its name, the time, the user and the result.
          </EmptyState>
        }
        rowActions={rowActions}
        onOpen={open}
        openLabel="Open the rows of the file"
        loadPage={pagesOf(query, ({ data }) => data)}
        pager={{
          page,
          limit,
          totalCount: data?.pagination.totalCount ?? 0,
          noun: 'files',
          withShift: true,
          onPage: (next) => setUrl({ page: next, limit }),
          onLimit: (next) => setUrl({ page: 1, limit: chooseSize(next) }),
        }}
      />
    </div>
  );
}
