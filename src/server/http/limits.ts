/** How much one account may do at once, and how long it may take; tests use shorter limits. */
export interface Limits {
  /** Calls of one account that run at once, how many more may wait, and how long (docs/security.md §4.3). */
  readonly atWork: number;
  readonly waiting: number;
  /** Calls of one account that are done together and count as one of those (implement.gathered). */
  readonly gathered: number;
  readonly waitMs: number;
  /** Files of one account being sent at once, and how long another waits for one that is ending. */
  readonly files: number;
  readonly fileWaitMs: number;
  /** A reader of a file that takes nothing for this long is cut off. */
  readonly stallMs: number;
  /** A file's whole time: it holds a connection of the database. */
  readonly fileMs: number;
  /** A call's whole time, three seconds less than the 25 of docs/specification.md §14.1: cancelling takes some of them. */
  readonly answerMs: number;
  /** That of a call whose client shows that it runs and can cancel it: an import of thousands of rows. */
  readonly longAnswerMs: number;
  /** Calls are refused while a turn of the event loop takes as long (http/overload.ts). */
  readonly lagMs: number;
}

export const usualLimits: Limits = {
  atWork: 6,
  // A screen asks some ten things at once, and an account has several people: they wait, they are not refused.
  waiting: 100,
  gathered: 16,
  waitMs: 10_000,
  files: 2,
  fileWaitMs: 2_000,
  stallMs: 30_000,
  fileMs: 120_000,
  answerMs: 22_000,
  longAnswerMs: 57_000,
  lagMs: 1_000,
};
