import { useCallback, useRef, useState } from 'react';
import { formatCount } from '../../../shared/calc/count-text.ts';
import type { FileFormat } from '../../../shared/calc/file-names.ts';
import { saveFile, type CallOptions, type DownloadedFile } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { useDelayed } from '../ui/skeleton.tsx';
import { notify } from './toast.ts';

interface DownloadProgress {
  /** Rows received so far; undefined if they cannot be counted. */
  rows: number | undefined;
  /** undefined while the challans are not counted. */
  total: number | undefined;
}

/** A file to download. */
export interface FileDownload {
  get: (options: Pick<CallOptions, 'signal' | 'onChunk'>) => Promise<DownloadedFile>;
  /** The number of challans in the file, if it is known. */
  total: number | undefined;
  /** false for a file that is not text in lines, so that its rows cannot be counted while it arrives. */
  countsLines?: boolean;
  /** The file name where the server gives none. */
  fallbackName: string;
  /** The messages of the screen (docs/specification.md §13.4 and §15.3). */
  done: string | (() => void);
  failed: string;
  /** The error message if the file arrived but could not be saved. */
  notSaved?: string;
  cancelled: string;
  /** Called once the file is saved. Returns a warning about the file, if there is one. */
  note?: () => string | undefined;
}

/** What is said of the file of a table, where its screen has no words of its own. */
export const fileMessages: Readonly<Record<FileFormat, Record<'done' | 'failed' | 'cancelled', string>>> = {
  csv: {
    done: 'CSV file downloaded successfully',
    failed: 'Failed to download CSV',
    cancelled: 'CSV download cancelled',
  },
  xlsx: {
    done: 'Excel file downloaded successfully',
    failed: 'Failed to download Excel file',
    cancelled: 'Excel download cancelled',
  },
};

const lineFeed = 10;
const progressIntervalMs = 120;

/**
 * Downloads a file of many rows, with progress and Cancel (docs/specification.md §19.3). The file arrives in chunks, and
 * its line feeds are counted as rows. A remark of several lines counts more than once, so the count is capped at the total.
 * Leaving the screen does not stop the download. Only one download runs at a time.
 */
export function useFileDownload(): {
  progress: DownloadProgress | undefined;
  start: (download: FileDownload) => void;
  cancel: () => void;
} {
  const [progress, setProgress] = useState<DownloadProgress>();
  const running = useRef<AbortController>(undefined);

  const start = useCallback((download: FileDownload) => {
    if (running.current) return;
    const control = new AbortController();
    running.current = control;
    const { total, countsLines = true } = download;
    setProgress({ rows: countsLines ? 0 : undefined, total });
    let lines = 0;
    let reportedAt = 0;
    const onChunk = (chunk: Uint8Array): void => {
      if (!countsLines) return;
      for (const byte of chunk) if (byte === lineFeed) lines += 1;
      const now = performance.now();
      if (now - reportedAt < progressIntervalMs) return;
      reportedAt = now;
      // The first line is the heading.
      setProgress({ rows: Math.max(0, Math.min(total ?? Infinity, lines - 1)), total });
    };
    download
      .get({ signal: control.signal, onChunk })
      .then(
        (file) => save(file, download),
        (error: unknown) => {
          if (control.signal.aborted) notify.info(download.cancelled);
          else notify.error(error, download.failed);
        },
      )
      .finally(() => {
        running.current = undefined;
        setProgress(undefined);
      });
  }, []);

  const cancel = useCallback(() => running.current?.abort(), []);
  return { progress, start, cancel };
}

function save(file: DownloadedFile, { fallbackName, done, failed, notSaved, note }: FileDownload): void {
  try {
    saveFile(file, fallbackName);
    if (typeof done === 'string') notify.success(done);
    else done();
    const warning = note?.();
    if (warning !== undefined) notify.warning(warning);
  } catch {
    notify.error(notSaved ?? failed);
  }
}

const showAfterMs = 400;

interface DownloadStatusProps {
  /** The name of the file for screen readers: 'CSV export'. */
  label: string;
  progress: DownloadProgress | undefined;
  onCancel: () => void;
}

/**
 * The progress of a download, with Cancel (docs/specification.md §19.3). Nothing is shown for a file that arrives within
 * 400 ms.
 */
export function DownloadStatus({ label, progress, onCancel }: DownloadStatusProps) {
  const isLate = useDelayed(progress !== undefined, showAfterMs);
  if (!progress || !isLate) return null;
  const { rows, total } = progress;
  return (
    <div className="flex items-center gap-2 text-xs text-muted">
      <progress
        className="h-1.5 w-28 accent-primary"
        aria-label={label}
        max={total || 1}
        value={total === undefined ? undefined : rows}
      />
      <span className="nums whitespace-nowrap">{progressText(progress)}</span>
      <Button size="sm" variant="ghost" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

function progressText({ rows, total }: DownloadProgress): string {
  if (total === undefined) return rows === undefined ? 'Making the file…' : `${formatCount(rows)} challans`;
  const all = `${formatCount(total)} challans`;
  if (rows === undefined) return `Making the file of ${all}…`;
  return `${formatCount(rows)} of ${all} (${total === 0 ? 0 : Math.floor((rows / total) * 100)} %)`;
}
