import { useRef } from 'react';
import { tableFileTypes } from '../../../shared/reading/tables.ts';
import type { ImportKind } from '../../../shared/contract/imports.ts';
import { tables } from '../../resources/tables.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { useSheetChoice } from '../../kit/sheet/choose-sheet.tsx';
import { FileInput } from '../../kit/ui/file-input.tsx';
import { SavedAgain, useSavedAgain } from '../../kit/sheet/saved-again.tsx';
import { makeSource, withChoicesOf, type Source } from './import-source.ts';

/** Reads files for the import. `before`: the same file as it was before it was saved again, whose choices are kept. */
export function useReadSource(kind: ImportKind, onSource: (source: Source) => void) {
  const read = tables.useRead();
  const { chooseSheet, dialog } = useSheetChoice();
  const accept = (source: Source | undefined): void => {
    if (source) onSource(source);
    else notify.warning('There are no rows to import.');
  };
  const readFile = async (file: File, before?: Source): Promise<void> => {
    try {
      const { data } = await read.mutateAsync({ file });
      const known = before?.name === file.name ? before : undefined;
      const same = known ? data.sheets.findIndex(({ name }) => name === known.sheets[known.sheet]?.name) : -1;
      const sheet = same === -1 ? await chooseSheet(file.name, data.sheets) : same;
      if (sheet === undefined) return;
      const source = makeSource(
        kind,
        { name: file.name, sha256: data.sha256, kind: data.kind, file },
        data.sheets,
        sheet,
      );
      accept(source && known ? withChoicesOf(source, known) : source);
    } catch (error) {
      notify.error(error, 'Failed to read the file');
    }
  };
  return { readFile, accept, isReading: read.isPending, dialog };
}

/** Says that the file was saved again while its columns are chosen, and reads it again. */
export function ReadAgain({ kind, source, onSource }: ReadAgainProps) {
  const inputRef = useRef<HTMLInputElement>(null);
  const { readFile, dialog } = useReadSource(kind, onSource);
  if (!useSavedAgain(source.file)) return null;
  return (
    <>
      <FileInput
        inputRef={inputRef}
        label="The file again"
        types={tableFileTypes}
        onFile={(file) => void readFile(file, source)}
      />
      <SavedAgain onReadAgain={() => inputRef.current?.click()} />
      {dialog}
    </>
  );
}
interface ReadAgainProps {
  kind: ImportKind;
  source: Source;
  onSource: (source: Source) => void;
}
