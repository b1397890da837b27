/** What the other features use of this one (docs/architecture.md §1). */
export { ownerSearchHint, ownersFailed, useOwner } from './owner-record.ts';
