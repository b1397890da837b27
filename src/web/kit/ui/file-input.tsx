import type { RefObject } from 'react';

interface FileInputProps {
  inputRef: RefObject<HTMLInputElement | null>;
  label: string;
  /** The endings of file names; absent: any file. */
  types?: readonly string[];
  onFile: (file: File) => void;
}

/** The input behind a button that chooses a file. It is emptied, so that the same file, corrected meanwhile, is read again. */
export function FileInput({ inputRef, label, types, onFile }: FileInputProps) {
  return (
    <input
      ref={inputRef}
      type="file"
      accept={types?.join(',')}
      aria-label={label}
      className="hidden"
      onChange={({ target }) => {
        const [file] = target.files ?? [];
        target.value = '';
        if (file) onFile(file);
      }}
    />
  );
}
