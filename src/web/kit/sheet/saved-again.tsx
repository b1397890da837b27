import { useEffect, useState } from 'react';
import type { Table } from '../../../shared/sheet/table-cells.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';

/** Returns false if the file was saved again, moved, deleted or locked since it was chosen: a browser does not give it then. */
export async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/**
 * Whether the file whose columns are being chosen is another one by now. It is looked at when the user comes back to the window
 * from the program that may have saved it.
 */
export function useSavedAgain(file: File | undefined): boolean {
  const [saved, setSaved] = useState<File>();
  useEffect(() => {
    if (!file) return undefined;
    const look = (): void => void isReadable(file).then((isThere) => !isThere && setSaved(file));
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [file]);
  return file !== undefined && saved === file;
}

/** `onReadAgain` opens the file dialog, because the browser no longer gives the file. */
export const SavedAgain = ({ onReadAgain }: { onReadAgain: () => void }) => (
  <Alert
    tone="info"
    title="The file was saved again since it was read."
    actions={
      <Button size="sm" onClick={onReadAgain}>
        Read it again
      </Button>
    }
  >
    Choose it once more. The columns stay as you have chosen them.
  </Alert>
);

/** Whether the row of headings is the same in a table that was read again, so that the choice of its columns fits. */
export const hasSameHeadings = (before: Table, now: Table, firstRow: number): boolean =>
  before[0]?.length === now[0]?.length &&
  (before[firstRow - 1] ?? []).every((heading, column) => heading === now[firstRow - 1]?.[column]);
