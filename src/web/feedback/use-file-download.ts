import { useCallback, useRef, useState } from 'react';
import { saveFile, type CallOptions, type DownloadedFile } from '../api/client.ts';
import { notify } from './toast.ts';

export interface DownloadProgress {
  /** undefined: they cannot be counted. */
  rows: number | undefined;
  total: number;
}

interface Download {
  get: (options: Pick<CallOptions, 'signal' | 'onChunk'>) => Promise<DownloadedFile>;
  /** How many challans the file will hold. */
  total: number;
  /** false: a file without lines, whose rows cannot be counted while it comes. */
  countsLines?: boolean;
  /** The file's name where the server gives none. */
  fallbackName: string;
  /** The screen's own sentences (docs/specification.md §13.4 and §15.3). */
  done: string | (() => void);
  failed: string;
  /** The file came and could not be saved. */
  notSaved?: string;
  cancelled: string;
  /** Asked once the file is saved: what else must be known of it. */
  note?: () => string | undefined;
}

const lineFeed = 10;
const tellMs = 120;

/**
 * A file of many rows, with its progress and a way to stop it (docs/specification.md §19.3). The file comes in pieces,
 * so rows can be counted while it does; a remark of several lines counts more than once, so the count never goes over
 * the total. Leaving the screen does not stop it. One at a time.
 */
export function useFileDownload(): {
  progress: DownloadProgress | undefined;
  start: (download: Download) => void;
  cancel: () => void;
} {
  const [progress, setProgress] = useState<DownloadProgress>();
  const running = useRef<AbortController>(undefined);

  const start = useCallback((download: Download) => {
    if (running.current) return;
    const control = new AbortController();
    running.current = control;
    const { total, countsLines = true } = download;
    setProgress({ rows: countsLines ? 0 : undefined, total });
    let lines = 0;
    let toldAt = 0;
    const onChunk = (chunk: Uint8Array): void => {
      if (!countsLines) return;
      for (const byte of chunk) if (byte === lineFeed) lines += 1;
      const now = performance.now();
      if (now - toldAt < tellMs) return;
      toldAt = now;
      // The first line is the heading.
      setProgress({ rows: Math.max(0, Math.min(total, lines - 1)), total });
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

function save(file: DownloadedFile, { fallbackName, done, failed, notSaved, note }: Download): void {
  try {
    saveFile(file, fallbackName);
    if (typeof done === 'string') notify.success(done);
    else done();
    const said = note?.();
    if (said !== undefined) notify.warning(said);
  } catch {
    notify.error(notSaved ?? failed);
  }
}
