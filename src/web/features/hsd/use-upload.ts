import { useCallback, useEffect, useRef, useState } from 'react';
import { HSD_MAX_BYTES } from '../../../shared/reading/pump-bill.ts';
import { isTableName } from '../../../shared/reading/tables.ts';
import {
  hsdColumnsToChoose,
  type HsdColumnsToChoose,
  type HsdUploadResult,
} from '../../../shared/contract/hsd-verification.ts';
import { hsdVerification } from '../../resources/hsd-verification.ts';
import { errorText, isApiError } from '../../kit/api/api-error.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { isReadable } from '../../kit/sheet/saved-again.tsx';

const bytesPerMB = 1024 * 1024;

/** '12.4 MB', '38 kB' */
export function sizeText(bytes: number): string {
  if (bytes >= bytesPerMB) return `${(bytes / bytesPerMB).toFixed(1)} MB`;
  return `${Math.max(1, Math.round(bytes / 1024))} kB`;
}

/**
 * Returns why these files cannot be uploaded, as one sentence (docs/specification.md §11.2). The server checks the
 * content of the file.
 */
function problemOf(files: readonly File[]): string | undefined {
  const [file] = files;
  if (!file) return 'Nothing that was dropped or pasted is a file.';
  if (files.length > 1) return `${files.length} files were given. Choose one file at a time.`;
  if (!isTableName(file.name)) return `"${file.name}" is not a .csv, .xlsx, .xls, .ods or .txt file.`;
  if (file.size > HSD_MAX_BYTES) {
    // Rounded, 10.01 MB would read as the allowed 10 MB.
    const isClose = file.size < HSD_MAX_BYTES + bytesPerMB / 10;
    return `"${file.name}" is ${isClose ? 'a little over 10 MB' : sizeText(file.size)}. A file may have at most 10MB.`;
  }
  if (file.size === 0) return `"${file.name}" is empty.`;
  return undefined;
}

/**
 * The two default texts of docs/specification.md §15.3. The first is for a refusal of the server without a message.
 * The second is for a failure on this side: a file that can no longer be read, or an answer that is not a result.
 */
const refusedText = 'Failed to upload HSD verification file';
const failedText = 'Failed to upload file';

export interface Sending {
  file: File;
  /** The bytes sent so far; undefined if the browser does not report them. */
  sent: number | undefined;
  total: number | undefined;
}

interface Failure {
  text: string;
  requestId?: string | undefined;
  fileName?: string;
  /** The file, if uploading it again unchanged can succeed. */
  resendable?: File;
}

function failureOf(error: unknown, file: File): Failure {
  if (!isApiError(error)) return { text: failedText };
  const text = errorText(error, refusedText);
  // The server would refuse the content of this file again. A busy server or a broken connection may work at the next
  // attempt.
  const isCausedByFile = [400, 413, 415].includes(error.status);
  const failure = { text, requestId: error.requestId, fileName: file.name };
  return isCausedByFile ? failure : { ...failure, resendable: file };
}

/** Where the columns of a file are. Rows and columns count from 1; `headingRow` 0 means that there are no headings. */
export interface ColumnChoice {
  sheet: string;
  headingRow: number;
  tpColumn: number;
  amountColumn: number;
}

/** A file whose columns the server did not find. It is sent again once the user has chosen them. */
export interface PendingChoice {
  file: File;
  message: string;
  columns: HsdColumnsToChoose;
  /** The choice that waits, because the file was saved again meanwhile and has to be given once more. */
  waiting?: Partial<ColumnChoice> | undefined;
}

function pendingChoiceOf(error: unknown, file: File): PendingChoice | undefined {
  if (!isApiError(error, 'INVALID_FILE')) return undefined;
  const { data: columns } = hsdColumnsToChoose.safeParse(error.data);
  return columns && { file, message: errorText(error, refusedText), columns };
}

/** Uploads one file at a time. `onResult` gets the answer of the server. */
export function useUpload(
  petrolPumpId: string | undefined,
  onResult: (result: HsdUploadResult, fileName: string) => void,
) {
  const [sending, setSending] = useState<Sending>();
  const [failure, setFailure] = useState<Failure>();
  const [pendingChoice, setPendingChoice] = useState<PendingChoice>();
  const controllerRef = useRef<AbortController>(undefined);
  const upload = hsdVerification.useUpload();
  const { mutateAsync } = upload;

  // When the screen is left, the upload is aborted: nobody would see its result.
  useEffect(() => () => controllerRef.current?.abort(), []);

  const send = useCallback(
    async (file: File, choice: Partial<ColumnChoice> = {}): Promise<void> => {
      if (controllerRef.current) return;
      const controller = new AbortController();
      controllerRef.current = controller;
      const { signal } = controller;
      setFailure(undefined);
      setPendingChoice(undefined);
      setSending({ file, sent: undefined, total: undefined });
      try {
        // The browser would report it as a network failure only.
        if (!(await isReadable(file))) throw new TypeError('The file cannot be read');
        const answer = await mutateAsync({
          query: { petrolPumpId, detail: 'true', ...choice },
          file,
          signal,
          onSent: ({ bytes, total }) => setSending({ file, sent: bytes, total }),
        });
        const parsed = hsdVerification.calls.upload.answer.parse(answer);
        notify.success('File uploaded and processed successfully!');
        onResult(parsed.data, file.name);
      } catch (error) {
        if (signal.aborted) notify.info('Upload cancelled');
        else {
          const choice = pendingChoiceOf(error, file);
          if (choice) setPendingChoice(choice);
          else setFailure(failureOf(error, file));
        }
      } finally {
        controllerRef.current = undefined;
        setSending(undefined);
      }
    },
    [mutateAsync, onResult, petrolPumpId],
  );

  const waiting = pendingChoice?.waiting;
  const start = useCallback(
    (files: readonly File[]): void => {
      const problem = problemOf(files);
      const [file] = files;
      if (problem !== undefined) setFailure({ text: problem });
      else if (file) void send(file, waiting);
      if (problem !== undefined && waiting === undefined) setPendingChoice(undefined);
    },
    [send, waiting],
  );
  const cancel = useCallback(() => controllerRef.current?.abort(), []);
  const dismissFailure = useCallback(() => setFailure(undefined), []);
  const chooseColumns = useCallback(
    async (choice: Partial<ColumnChoice>): Promise<void> => {
      if (!pendingChoice) return;
      // A browser gives no file that has changed since it was chosen.
      if (await isReadable(pendingChoice.file)) await send(pendingChoice.file, choice);
      else setPendingChoice({ ...pendingChoice, waiting: choice });
    },
    [send, pendingChoice],
  );
  const cancelChoice = useCallback(() => setPendingChoice(undefined), []);
  return { sending, failure, pendingChoice, start, chooseColumns, cancelChoice, cancel, dismissFailure };
}
