import { useCallback, useRef, useState } from 'react';
import { contract } from '../../../shared/contract/index.ts';
import { call, saveFile } from '../../api/client.ts';
import { notify } from '../../shell/toast.ts';
import { toExportFilters, type ListFilters } from './list-state.ts';

export interface ExportProgress {
  rows: number;
  total: number;
}

const lineFeed = 10;
const tellMs = 120;

/**
 * Export CSV (part 2 §2.1): every matching row, not the page. The file comes in pieces, so rows can be counted while it
 * does; a remark of several lines counts more than once, so the count never goes over the total. Leaving the screen does
 * not stop it.
 */
export function useExport(): {
  progress: ExportProgress | undefined;
  start: (filters: ListFilters, total: number) => void;
  cancel: () => void;
} {
  const [progress, setProgress] = useState<ExportProgress>();
  const running = useRef<AbortController>(undefined);

  const start = useCallback((filters: ListFilters, total: number) => {
    if (running.current) return;
    const control = new AbortController();
    running.current = control;
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
    call(
      contract.challans.exportCsv,
      { body: { filters: toExportFilters(filters) } },
      { signal: control.signal, onChunk },
    )
      .then(
        (file) => {
          saveFile(file, 'challans.csv');
          notify.success('CSV export completed successfully!');
        },
        (error: unknown) => {
          if (control.signal.aborted) notify.info('CSV export cancelled');
          else notify.error(error, 'Failed to export CSV. Please try again.');
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
