import { challansText } from '../../../../shared/calc/count-text.ts';
import { useUndoFromToast } from '../../../kit/records/act-on-many.ts';

const words: Parameters<typeof useUndoFromToast>[0] = { counted: challansText, leftText: ({ reason }) => reason };

/** Undoes a change of challans from the toast that reports it: of many, or the deletion of one. */
export const useUndoOfChallans = () => useUndoFromToast(words);
