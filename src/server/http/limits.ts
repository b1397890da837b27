import { Refusal } from '../refusal.ts';
import { Semaphore } from '../semaphore.ts';

/** How much one account may do at once, and how long it may take. Tests use shorter limits. */
export interface Limits {
  /** How many calls of one account run at once, how many more may wait, and for how long (docs/security.md §4.3). */
  readonly running: number;
  readonly waiting: number;
  /**
   * How many calls of one account may be in batches at once. A batch counts as one running call (implement.batched).
   */
  readonly batched: number;
  readonly waitMs: number;
  /** How many files of one account are sent at once, and how long another one waits for its turn. */
  readonly files: number;
  readonly fileWaitMs: number;
  /** A reader of a file that takes nothing for this long is cut off. */
  readonly stallMs: number;
  /** How long a file may take in all, because it holds a database connection. */
  readonly fileMs: number;
  /**
   * How long a call may take in all. It is three seconds less than the 25 of docs/specification.md §14.1, because
   * cancelling a statement takes some time.
   */
  readonly answerMs: number;
  /**
   * The same limit for a call whose client shows that it runs and can cancel it, such as an import of thousands of
   * rows.
   */
  readonly longAnswerMs: number;
  /** Calls are refused while one turn of the event loop takes at least this long (http/overload.ts). */
  readonly lagMs: number;
}

export const defaultLimits: Limits = {
  running: 6,
  // A screen sends about ten requests at once, and several people use one account: their calls wait and are not
  // refused.
  waiting: 100,
  batched: 16,
  waitMs: 10_000,
  files: 2,
  fileWaitMs: 2_000,
  stallMs: 30_000,
  fileMs: 120_000,
  answerMs: 22_000,
  longAnswerMs: 57_000,
  lagMs: 1_000,
};

/** The semaphores of all accounts: for calls, for calls in batches, and for files. */
export type Gates = Readonly<Record<'calls' | 'batched' | 'files', Semaphore>>;

export function createGates({ running, batched, waiting, waitMs, files, fileWaitMs }: Limits): Gates {
  const queue = { waiting: { perKey: waiting }, waitMs, refusal: tooManyCalls };
  return {
    calls: new Semaphore({ running: { perKey: running }, ...queue }),
    batched: new Semaphore({ running: { perKey: batched }, ...queue }),
    files: new Semaphore({
      running: { perKey: files },
      waiting: { perKey: files },
      waitMs: fileWaitMs,
      refusal: tooManyFiles,
    }),
  };
}

const tooManyCalls = (): Refusal =>
  new Refusal('TOO_MANY_REQUESTS', 'Too many requests. Please wait a moment.', { retryAfterSeconds: 2 });
const tooManyFiles = (): Refusal =>
  new Refusal(
    'TOO_MANY_REQUESTS',
    'Other files of this account are being downloaded. Please wait for one of them, then try again.',
    { retryAfterSeconds: 5 },
  );
