import { useCallback, useRef, useState } from 'react';
import { saveFile, type CallOptions, type DownloadedFile } from '../api/client.ts';
import { notify } from './toast.ts';

export interface DownloadProgress {
  rows: number;
  total: number;
}

interface Download {
  get: (options: Pick<CallOptions, 'signal' | 'onChunk'>) => Promise<DownloadedFile>;
  /** How many challans the file will hold. */
  total: number;
  /** The file's name where the server gives none. */
  fallbackName: string;
  /** The screen's own sentences (ruling 45; part 2 §8). */
  done: string;
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
 * A file of many rows, with its progress and a way to stop it (expectation 23). The file comes in pieces, so rows can be
 * counted while it does; a remark of several lines counts more than once, so the count never goes over the total. Leaving
 * the screen does not stop it. One at a time.
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
    const { total } = download;
    setProgress({ rows: 0, total });
    let lines = 0;
    let toldAt = 0;
    const onChunk = (chunk: Uint8Array): void => {
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
    notify.success(done);
    const said = note?.();
    if (said !== undefined) notify.warning(said);
  } catch {
    notify.error(notSaved ?? failed);
  }
}
