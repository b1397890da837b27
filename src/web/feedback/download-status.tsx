import { Button } from '../ui/button.tsx';
import { useDelayed } from '../ui/skeleton.tsx';
import { formatCount } from '../../shared/calc/count-text.ts';
import type { DownloadProgress } from './use-file-download.ts';

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
  const all = `${formatCount(total)} challans`;
  const share = total === 0 || rows === undefined ? 0 : Math.floor((rows / total) * 100);
  return (
    <div className="flex items-center gap-2 text-xs text-muted">
      <progress className="h-1.5 w-28 accent-primary" aria-label={label} max={total || 1} value={rows} />
      <span className="nums whitespace-nowrap">
        {rows === undefined ? `Making the file of ${all}…` : `${formatCount(rows)} of ${all} (${share} %)`}
      </span>
      <Button size="sm" variant="ghost" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}
