import { useCallback, useEffect, useRef, useState } from 'react';
import { HSD_MAX_BYTES } from '../../../shared/calc/hsd.ts';
import {
  hsdColumnsToChoose,
  type HsdColumnsToChoose,
  type HsdUploadResult,
} from '../../../shared/contract/hsd-verification.ts';
import { hsdVerification } from '../../api/hsd-verification.ts';
import { errorText, isApiError } from '../../api/api-error.ts';
import { notify } from '../../feedback/toast.ts';

export const acceptedTypes = '.csv,.xlsx,.xls';
const accepted = /\.(csv|xlsx|xls)$/i;
const bytesPerMB = 1024 * 1024;

/** '12.4 MB', '38 kB' */
export function sizeText(bytes: number): string {
  if (bytes >= bytesPerMB) return `${(bytes / bytesPerMB).toFixed(1)} MB`;
  return `${Math.max(1, Math.round(bytes / 1024))} kB`;
}

/**
 * Why these files cannot be sent, in one plain sentence (docs/specification.md §11.2). What is in the file is the
 * server's to judge.
 */
function problemOf(files: readonly File[]): string | undefined {
  const [file] = files;
  if (!file) return 'There is no file in what was dropped or pasted.';
  if (files.length > 1) return `${files.length} files were given. Choose one file at a time.`;
  if (!accepted.test(file.name)) return `"${file.name}" is not a .csv, .xlsx or .xls file.`;
  if (file.size > HSD_MAX_BYTES) {
    // Rounded, 10.01 MB would read as the 10 MB that are allowed.
    const isClose = file.size < HSD_MAX_BYTES + bytesPerMB / 10;
    return `"${file.name}" is ${isClose ? 'a little over 10 MB' : sizeText(file.size)}. A file may have at most 10MB.`;
  }
  if (file.size === 0) return `"${file.name}" is empty.`;
  return undefined;
}

/**
 * false: moved, deleted or locked since it was chosen. Asked before sending, since the browser then only says that the
 * network failed.
 */
async function isReadable(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/**
 * docs/specification.md §15.3 names two defaults. The first is for a refusal of the server that carries no sentence of
 * its own; the second for what failed on this side: a file that cannot be read any more, an answer that is no result.
 */
const refused = 'Failed to upload HSD verification file';
const failedHere = 'Failed to upload file';

export interface Sending {
  file: File;
  /** Bytes of the call that have left; undefined: the browser does not tell. */
  sent: number | undefined;
  total: number | undefined;
}

interface Failure {
  text: string;
  requestId?: string | undefined;
  fileName?: string;
  /** What may be sent again as it is. */
  again?: File;
}

function failureOf(error: unknown, file: File): Failure {
  if (!isApiError(error)) return { text: failedHere };
  const text = errorText(error, refused);
  // What the server refuses in this file it refuses again; a busy server or a broken line may do better.
  const isOfTheFile = [400, 413, 415].includes(error.status);
  const failure = { text, requestId: error.requestId, fileName: file.name };
  return isOfTheFile ? failure : { ...failure, again: file };
}

/** Where the columns of a file are; rows and columns count from 1, `headingRow` 0: it has no headings. */
export interface ColumnChoice {
  sheet: string;
  headingRow: number;
  tpColumn: number;
  amountColumn: number;
}

/** A file whose columns the server did not find: it is sent again when they are chosen. */
export interface ToChoose {
  file: File;
  message: string;
  columns: HsdColumnsToChoose;
}

function toChooseOf(error: unknown, file: File): ToChoose | undefined {
  if (!isApiError(error, 'INVALID_FILE')) return undefined;
  const { data: columns } = hsdColumnsToChoose.safeParse(error.data);
  return columns && { file, message: errorText(error, refused), columns };
}

/** One file on its way to the server, one at a time; `onResult` gets what it said. */
export function useUpload(
  petrolPumpId: string | undefined,
  onResult: (result: HsdUploadResult, fileName: string) => void,
) {
  const [sending, setSending] = useState<Sending>();
  const [failure, setFailure] = useState<Failure>();
  const [toChoose, setToChoose] = useState<ToChoose>();
  const control = useRef<AbortController>(undefined);
  const upload = hsdVerification.useUpload();
  const { mutateAsync } = upload;

  // Without its screen nobody would see the result.
  useEffect(() => () => control.current?.abort(), []);

  const send = useCallback(
    async (file: File, choice: Partial<ColumnChoice> = {}): Promise<void> => {
      if (control.current) return;
      const running = new AbortController();
      control.current = running;
      const { signal } = running;
      setFailure(undefined);
      setToChoose(undefined);
      setSending({ file, sent: undefined, total: undefined });
      try {
        if (!(await isReadable(file))) throw new TypeError('The file cannot be read');
        const answer = await mutateAsync({
          query: { petrolPumpId, detail: 'true', ...choice },
          file,
          signal,
          onSent: ({ bytes, total }) => setSending({ file, sent: bytes, total }),
        });
        const read = hsdVerification.calls.upload.answer.parse(answer);
        notify.success('File uploaded and processed successfully!');
        onResult(read.data, file.name);
      } catch (error) {
        if (signal.aborted) notify.info('Upload cancelled');
        else {
          const choose = toChooseOf(error, file);
          if (choose) setToChoose(choose);
          else setFailure(failureOf(error, file));
        }
      } finally {
        control.current = undefined;
        setSending(undefined);
      }
    },
    [mutateAsync, onResult, petrolPumpId],
  );

  const start = useCallback(
    (files: readonly File[]): void => {
      const problem = problemOf(files);
      const [file] = files;
      setToChoose(undefined);
      if (problem !== undefined) setFailure({ text: problem });
      else if (file) void send(file);
    },
    [send],
  );
  const cancel = useCallback(() => control.current?.abort(), []);
  const dismiss = useCallback(() => setFailure(undefined), []);
  const choose = useCallback(
    (choice: Partial<ColumnChoice>): void => {
      if (toChoose) void send(toChoose.file, choice);
    },
    [send, toChoose],
  );
  const leaveChoice = useCallback(() => setToChoose(undefined), []);
  return { sending, failure, toChoose, start, choose, leaveChoice, cancel, dismiss };
}
