/** What one account may ask at once, and how long anything may take; the tests shorten it. */
export interface Limits {
  /** Calls of one account at work at once, how many more may wait for that, and how long (safety.md, rule 30). */
  readonly atWork: number;
  readonly waiting: number;
  readonly waitMs: number;
  /** Files of one account being sent at once (rule 27), and how long another waits for one that is ending. */
  readonly files: number;
  readonly fileWaitMs: number;
  /** A reader of a file who takes nothing for so long has left (F10). */
  readonly stallMs: number;
  /** A file's whole time: it holds a connection of the database. */
  readonly fileMs: number;
  /** A call's whole time, three seconds before the 25 of wire.md: cancelling takes some of them. */
  readonly answerMs: number;
}

export const usualLimits: Limits = {
  atWork: 6,
  // A screen asks some ten things at once, and an account has several people: they wait, they are not refused.
  waiting: 100,
  waitMs: 10_000,
  files: 2,
  fileWaitMs: 2_000,
  stallMs: 30_000,
  fileMs: 120_000,
  answerMs: 22_000,
};
