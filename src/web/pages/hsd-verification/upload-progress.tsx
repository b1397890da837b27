import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { sizeText } from './file-check.ts';
import type { Sending } from './use-upload.ts';

/** How far the file is: its bytes while they leave, then that it is being read. As tall as the drop zone it stands for. */
export function UploadProgress({ file, sent, total, onCancel }: Sending & { onCancel: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  // The drop zone that had the focus is gone.
  useEffect(() => button.current?.focus({ preventScroll: true }), []);
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
          // Without a value: how far it is, nobody can tell.
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
