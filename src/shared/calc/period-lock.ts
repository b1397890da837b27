import { formatDate } from './dates.ts';

/** What is refused when it would change a locked day (docs/specification.md §29). `upTo` is the last locked day. */
export const lockedSentence = (upTo: string): string =>
  `Books are locked up to ${formatDate(upTo)}; an owner of the business can lift the lock.`;
