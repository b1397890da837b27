import { useLayoutEffect, useState } from 'react';
import { isDialogOpen } from './dialog-stack.ts';
import { useLatest } from './use-latest.ts';

/**
 * Accepts files that are dropped or pasted anywhere on the screen while `isOpen`. Otherwise they are ignored, so that the
 * browser never replaces the app with a dropped file. Returns true while a file is dragged over the window.
 */
export function useFileDrop(onFiles: (files: readonly File[]) => void, isOpen: boolean): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useLatest(onFiles);

  useLayoutEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const on = <K extends keyof WindowEventMap>(kind: K, listener: (event: WindowEventMap[K]) => void): void =>
      window.addEventListener(kind, listener, { signal });

    on('dragover', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      const isAccepted = isOpen && !isDialogOpen();
      event.dataTransfer.dropEffect = isAccepted ? 'copy' : 'none';
      setOver(isAccepted);
    });
    on('dragleave', (event) => {
      // Moving between two elements of the page has a relatedTarget; only leaving the window has none.
      if (event.relatedTarget === null) setOver(false);
    });
    on('drop', (event) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(false);
      if (isOpen && !isDialogOpen()) latest.current([...event.dataTransfer.files]);
    });
    on('paste', (event) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0 || event.defaultPrevented || isDialogOpen()) return;
      event.preventDefault();
      if (isOpen) latest.current(files);
    });
    return () => stop.abort();
  }, [isOpen, latest]);
  return isOver;
}
