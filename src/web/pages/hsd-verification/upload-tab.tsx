import { lazy, Suspense, useLayoutEffect, useId, useRef, useState } from 'react';
import { FileUp, FileSpreadsheet } from 'lucide-react';
import { clsx } from 'clsx';
import { useHsdUploadActions } from '../../actions/hsd-verification.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { sizeText, type Sending, type useUpload } from './use-upload.ts';
import { RequestId } from '../../ui/request-id.tsx';
import { hsdUploadColumns } from '../../../shared/columns/hsd-verification-columns.ts';
import type { HsdUpload } from '../../../shared/contract/hsd-verification.ts';
import { hsdVerification } from '../../api/hsd-verification.ts';
import { limitValue } from '../../filters/filter-values.ts';
import { usePageSize } from '../../filters/page-size.ts';
import { formatINR, normalizeTyped } from '../../../shared/calc/money.ts';
import { notify } from '../../feedback/toast.ts';
import { MoneyField } from '../../forms/fields.tsx';
import { PetrolPumpPicker, type PetrolPumpChoice } from '../../forms/pickers.tsx';
import { DataGrid } from '../../grid/data-grid.tsx';
import { gridStatusOf } from '../../feedback/grid-status.ts';
import { url, useUrlState } from '../../filters/url-state.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

interface UploadTabProps {
  upload: Omit<ReturnType<typeof useUpload>, 'start'>;
  pump: PetrolPumpChoice | null;
  onPump: (pump: PetrolPumpChoice | null) => void;
  /** A file is held over the window. */
  isOver: boolean;
  /** Opens the file box. */
  onChoose: () => void;
  onFiles: (files: readonly File[]) => void;
  /** Why no file is taken just now. */
  disabledReason: string | undefined;
}

/** The first tab: a file by choosing, dropping or pasting it, and what was uploaded before. */
export function UploadTab({ upload, pump, onPump, isOver, onChoose, onFiles, disabledReason }: UploadTabProps) {
  const { sending, failure, toChoose, choose, leaveChoice, cancel, dismiss } = upload;
  const again = failure?.again;
  useHsdUploadActions(sending ? cancel : undefined);

  return (
    <>
      {failure && (
        <Alert
          title={failure.text}
          onClose={dismiss}
          className="shrink-0"
          actions={
            again && (
              <Button size="sm" disabledReason={disabledReason} onClick={() => onFiles([again])}>
                Send it again
              </Button>
            )
          }
        >
          {failure.fileName && <span className="break-all">{failure.fileName}</span>}
          <RequestId id={failure.requestId} />
        </Alert>
      )}
      <BillOf pump={pump} onPump={onPump} lockedReason={disabledReason} />
      {sending ? (
        <UploadProgress {...sending} onCancel={cancel} />
      ) : toChoose ? (
        <Suspense fallback={null}>
          <ColumnsChoice
            key={toChoose.columns.sheet}
            {...toChoose}
            pumpName={pump?.name}
            onChosen={choose}
            onSheet={(sheet) => choose({ sheet })}
            onCancel={leaveChoice}
          />
        </Suspense>
      ) : (
        <DropZone isOver={isOver} onChoose={onChoose} disabledReason={disabledReason} />
      )}
      <PastUploads />
    </>
  );
}

/** Seldom needed. */
const ColumnsChoice = lazy(async () => ({ default: (await import('./columns-choice.tsx')).ColumnsChoice }));

interface BillOfProps extends Pick<UploadTabProps, 'pump' | 'onPump'> {
  lockedReason: string | undefined;
}

/** Whose bill the next file is, and how far its amounts may be off (docs/specification.md §11.4 and §11.5). */
function BillOf({ pump, onPump, lockedReason }: BillOfProps) {
  return (
    <div className="flex shrink-0 flex-wrap items-start gap-3">
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

/** Kept for the pump when the field is left. */
function Tolerance({ pumpId }: { pumpId: string }) {
  const query = hsdVerification.useGetPumpSettings({ params: { id: pumpId } });
  const [typed, setTyped] = useState<string>();
  const stored = query.data?.data.tolerance;
  const set = hsdVerification.useSetPumpSettings({
    onSuccess: ({ data }) => notify.success(`Differences up to ${formatINR(data.tolerance)} count as matches now.`),
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
        const read = normalizeTyped(typed ?? stored);
        if ('error' in read || read.value === '' || read.value === stored) return;
        set.mutate({ params: { id: pumpId }, body: { tolerance: read.value } });
      }}
    />
  );
}

type DropZoneProps = Pick<UploadTabProps, 'isOver' | 'onChoose' | 'disabledReason'>;

function DropZone({ isOver, onChoose, disabledReason }: DropZoneProps) {
  const zone = useRef<HTMLButtonElement>(null);
  const id = useId();
  // Enter opens the file box at once: on opening the screen, and after an upload that took the focus with it.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) zone.current?.focus({ preventScroll: true });
  }, []);

  return (
    <button
      ref={zone}
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
          Accepts .csv, .xlsx, .xls, max 10MB, needing &apos;TP No&apos; and &apos;Amount&apos; columns
        </span>
        <span aria-hidden className="mt-1 flex items-center gap-1.5 text-xs text-muted">
          <KeyHint keys="Enter" /> opens the file box <KeyHint keys="Ctrl+V" className="ml-2" /> pastes a copied file
        </span>
      </span>
    </button>
  );
}

/** How far the file is: its bytes while they leave, then that it is being read. As tall as the drop zone that it replaces. */
function UploadProgress({ file, sent, total, onCancel }: Sending & { onCancel: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  // The drop zone that had the focus is gone.
  useLayoutEffect(() => button.current?.focus({ preventScroll: true }), []);
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
          // Without a value: how far it is cannot be known.
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
          {isSent && 'The file is sent; its rows are compared with the challans.'}
          {!isSent && share !== undefined && `${sizeText(sent ?? 0)} of ${sizeText(total ?? 0)} (${share} %)`}
          {!isSent && share === undefined && sizeText(file.size)}
        </p>
        <Button ref={button} size="sm" keys="Esc" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  );
}

const shape = {
  page: url.number(1),
  limit: limitValue(),
};
const keyOf = (row: HsdUpload): string => row.id;

/** The evidence of earlier uploads: which file, when, by whom, and what it said. */
function PastUploads() {
  const [state, setUrl] = useUrlState(shape);
  const { page } = state;
  const { limit, choose: chooseSize } = usePageSize('hsd-uploads', state.limit);
  const query = hsdVerification.useListUploads({ query: { page, limit } });
  const { data, isPlaceholderData } = query;
  const lastPage = Math.max(1, data?.pagination.totalPages ?? 1);
  const isPastEnd = data !== undefined && !isPlaceholderData && page > lastPage;
  useLayoutEffect(() => {
    if (isPastEnd) setUrl({ page: lastPage }, { replace: true });
  }, [isPastEnd, lastPage, setUrl]);

  return (
    <div className="flex min-h-64 flex-1 flex-col gap-2">
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
            Each file that is uploaded leaves a line here: its name, when and by whom, and what was found.
          </EmptyState>
        }
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
