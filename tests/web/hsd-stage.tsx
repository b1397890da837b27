import { expect, vi } from 'vitest';
import { subtract } from '../../src/shared/calc/money.ts';
import type { AnswerOf } from '../../src/shared/contract/define.ts';
import { contract } from '../../src/shared/contract/index.ts';
import type { HsdMatch, HsdUpload, HsdUploadResult } from '../../src/shared/contract/hsd-verification.ts';
import { idOf, json, makeStage, openApp, page, userEvent, type Asked, type Stage } from './challan-list-stage.tsx';

/** The screen on a pretend network. An upload goes by XMLHttpRequest, since only that tells how much is sent. */
export const uploads = /hsd-verification\/upload$/;
export const verifies = /hsd-verification\/bulk-verify$/;
export const reviews = /hsd-verification\/review$/;
const pastUploads = /hsd-verification\/uploads$/;
export const accepts = /hsd-verification\/accept$/;

export const number = (n: number): string => `CH-2627-${String(n).padStart(6, '0')}`;
export const buildMatch = (n: number): HsdMatch => ({
  challanId: idOf(n),
  tpNo: `TP${String(n).padStart(5, '0')}`,
  challanNumber: number(n),
  uploadedAmount: `${1000 + n}.00`,
  challanAmount: `${1000 + n}.00`,
});

/** Matches 1…count, and what else the file said. */
export function buildResult(
  count: number,
  rest: Partial<HsdUploadResult['results']['discrepancies']> & { errors?: string[] } = {},
): HsdUploadResult {
  const { errors = [], amountMismatch = [], alreadyVerified = [], tpNotFound = [] } = rest;
  const totalDiscrepancies = amountMismatch.length + alreadyVerified.length + tpNotFound.length;
  const validRecords = count + totalDiscrepancies;
  return {
    totalRecords: validRecords + errors.length,
    validRecords,
    summary: { validMatches: count, totalDiscrepancies },
    results: {
      validMatches: Array.from({ length: count }, (_, index) => buildMatch(index + 1)),
      discrepancies: { amountMismatch, alreadyVerified, tpNotFound },
    },
    processingErrors: errors,
  };
}

export const buildMismatch = (n: number, uploadedAmount: string) => {
  const match = buildMatch(n);
  return { ...match, uploadedAmount, difference: subtract(uploadedAmount, match.challanAmount) };
};

export const buildUpload = (n: number, over: Partial<HsdUpload> = {}): HsdUpload => ({
  id: idOf(600 + n),
  fileName: `pump-${n}.csv`,
  sha256: `${n}`.padStart(64, 'a'),
  totalRecords: 1234,
  validRecords: 1200,
  validMatches: 1000,
  totalDiscrepancies: 200,
  verifiedCount: null,
  createdAt: '2026-11-20T10:00:00.000Z',
  createdBy: 'a@b.in',
  ...over,
});

export interface HsdStage extends Stage {
  past: HsdUpload[];
  result: HsdUploadResult;
  /** Names of the files that arrived. */
  files: string[];
  /** Idempotency keys of the verifications. */
  keys: (string | null)[];
  /** How much of the next uploads the browser tells; `release` lets them arrive. */
  gate: { sent: number[]; wait: Promise<void> };
}

export function hsdStage(result: HsdUploadResult = buildResult(3), past: HsdUpload[] = []): HsdStage {
  const stage: HsdStage = Object.assign(makeStage([]), {
    past,
    result,
    files: [],
    keys: [],
    gate: { sent: [1], wait: Promise.resolve() },
  });
  stage.serve(pastUploads, ({ query }: Asked) => {
    const { page: current, limit } = contract.hsdVerification.listUploads.query.parse(query);
    const totalPages = Math.ceil(stage.past.length / limit);
    const offset = (current - 1) * limit;
    const answer: AnswerOf<typeof contract.hsdVerification.listUploads> = {
      data: stage.past.slice(offset, offset + limit),
      pagination: {
        currentPage: current,
        limit,
        totalPages,
        totalCount: stage.past.length,
        hasNext: current < totalPages,
        hasPrevious: current > 1,
        offset,
      },
    };
    return json({ success: true, ...answer });
  });
  stage.serve(uploads, () => json({ success: true, data: stage.result }));
  stage.serve(verifies, ({ body }: Asked) => {
    const { challanIds } = contract.hsdVerification.verify.body.parse(body);
    return json({ success: true, data: { verifiedCount: challanIds.length, skippedCount: 0 } });
  });
  stage.serve(reviews, ({ body }: Asked) => {
    const { challanIds } = contract.hsdVerification.review.body.parse(body);
    return json({ success: true, data: { openIds: challanIds, verifiedIds: [], changed: [] } });
  });
  stage.serve(accepts, ({ body }: Asked) => {
    const { rows } = contract.hsdVerification.accept.body.parse(body);
    return json({ success: true, data: { verifiedCount: rows.length, skippedCount: 0 } });
  });
  const fetchOfStage = window.fetch;
  vi.stubGlobal('fetch', (target: string, init: RequestInit) => {
    if (verifies.test(target)) stage.keys.push(new Headers(init.headers).get('idempotency-key'));
    return fetchOfStage(target, init);
  });
  vi.stubGlobal('XMLHttpRequest', requestOf(stage));
  return stage;
}

/** As much of XMLHttpRequest as a call needs, over the stage's fetch. */
export function requestOf(stage: Pick<HsdStage, 'files' | 'gate'>) {
  return class extends EventTarget {
    readonly upload = new EventTarget();
    status = 0;
    responseText = '';
    private readonly control = new AbortController();
    private readonly headers = new Headers();
    private method = '';
    private url = '';
    open(method: string, url: string): void {
      Object.assign(this, { method, url });
    }
    setRequestHeader(name: string, value: string): void {
      this.headers.set(name, value);
    }
    getAllResponseHeaders(): string {
      return 'content-type: application/json\r\n';
    }
    abort(): void {
      this.control.abort();
    }
    send(body: FormData): void {
      void this.run(body);
    }
    private async run(body: FormData): Promise<void> {
      const file = body.get('file');
      if (!(file instanceof File)) throw new Error('A file is expected in the field "file"');
      stage.files.push(file.name);
      const { signal } = this.control;
      try {
        for (const share of stage.gate.sent) {
          const shape = { lengthComputable: true, loaded: Math.round(file.size * share), total: file.size };
          this.upload.dispatchEvent(new ProgressEvent('progress', shape));
        }
        const stopped = new Promise<never>((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')));
        });
        await Promise.race([stage.gate.wait, stopped]);
        const { method, headers } = this;
        const response = await window.fetch(this.url, { method, headers, body, signal });
        this.status = response.status;
        this.responseText = await response.text();
        this.dispatchEvent(new Event('load'));
      } catch {
        this.dispatchEvent(new Event(signal.aborted ? 'abort' : 'error'));
      }
      this.dispatchEvent(new Event('loadend'));
    }
  };
}

/** Uploads wait here until `release` is called; `sent` is what the browser has told by then. */
export function holdUploads(stage: HsdStage, sent: number[]): () => void {
  let release: () => void = () => undefined;
  stage.gate = { sent, wait: new Promise((resolve) => (release = resolve)) };
  return () => release();
}

export const zone = () => page.getByRole('button', { name: /Choose the petrol pump's file/ });
export const openHsd = (search = '') =>
  openApp(`/hsd-verification${search}`, 'section[aria-label="Past Verifications"]');
export const tab = (name: string | RegExp) => page.getByRole('tab', { name });
export const fileOf = (name = 'pump.csv', text = 'TP No,Amount\nTP00001,1001.00\n'): File => new File([text], name);

/** Pastes these files anywhere on the screen. */
export function paste(...files: File[]): void {
  const clipboardData = new DataTransfer();
  for (const file of files) clipboardData.items.add(file);
  document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
}

export function drop(...files: File[]): void {
  const dataTransfer = new DataTransfer();
  for (const file of files) dataTransfer.items.add(file);
  const shape = { dataTransfer, bubbles: true, cancelable: true };
  document.body.dispatchEvent(new DragEvent('dragover', shape));
  document.body.dispatchEvent(new DragEvent('drop', shape));
}

/** Uploads a file and waits for its results. */
export async function toResults(name = 'pump.csv'): Promise<void> {
  await expect.element(zone()).toBeVisible();
  paste(fileOf(name));
  await expect.element(tab('Verification Results')).toHaveAttribute('aria-selected', 'true');
  await vi.waitFor(() => expect(document.querySelector('section[aria-label="Valid Matches"]')).not.toBeNull());
}

/** The label of a stat card → its figure. */
export const cards = (): Record<string, string> =>
  Object.fromEntries(
    [...document.querySelectorAll('main dl')].map((card) => [
      card.querySelector('dt')?.textContent ?? '',
      card.querySelector('dd')?.textContent ?? '',
    ]),
  );

export const cellsOf = (column: string): string[] =>
  [...document.querySelectorAll(`.ag-grid-scrolling-container .ag-row [col-id="${column}"]`)]
    .toSorted(
      (a, b) =>
        Number(a.closest('.ag-row')?.getAttribute('row-index')) -
        Number(b.closest('.ag-row')?.getAttribute('row-index')),
    )
    .map((cell) => cell.textContent?.trim() ?? '');

export const verifyButton = () => page.getByRole('button', { name: /^Verify / });
export const sentIds = (stage: HsdStage): string[][] =>
  stage.asks('POST', verifies).map(({ body }) => (body as { challanIds: string[] }).challanIds);
export { userEvent };
