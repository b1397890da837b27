import { useId } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { LeftRecord } from '../../../shared/contract/batches.ts';
import type { Resource } from '../../../shared/contract/nouns.ts';
import { batches } from '../api/batches.ts';
import { notify } from '../feedback/toast.ts';
import { useDebounced } from '../ui/picker-state.ts';

/** Shared by the two dialogs that change a selection: of challans, and of master data. */

const debounceMs = 300;

interface Preview<Act, Answer> {
  resource: Resource;
  /** The chosen action; undefined while it is incomplete, and then nothing is requested. */
  act: Act | undefined;
  /** Requests the preview. */
  ask: (act: Act, signal: AbortSignal) => Promise<Answer>;
}

/** Loads a preview of what the action would change. Typed values are debounced. */
export function usePreview<Act extends { kind: string }, Answer>({ resource, act, ask }: Preview<Act, Answer>) {
  const current = JSON.stringify(act ?? null);
  const [settled] = useDebounced(current, act?.kind === 'set' ? debounceMs : 0);
  const isCurrent = settled === current;
  const query = useQuery({
    queryKey: [resource, 'preview', useId(), settled],
    queryFn: async ({ signal }) => {
      if (!act) throw new Error('A preview needs a complete action');
      return ask(act, signal);
    },
    enabled: isCurrent && act !== undefined,
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
  });
  return {
    data: isCurrent && act ? query.data : undefined,
    error: isCurrent ? query.error : null,
    refetch: query.refetch,
  };
}

type Counted = (count: number) => string;

/** What the preview says of records that have the value already, and of those that no longer exist; nothing of none. */
export const sameTexts = (count: number, counted: Counted): string[] =>
  count === 0 ? [] : [`${counted(count)} already ${count === 1 ? 'has' : 'have'} this value.`];
export const goneTexts = (count: number, counted: Counted): string[] =>
  count === 0 ? [] : [`${counted(count)} of the selection no longer ${count === 1 ? 'exists' : 'exist'}.`];

/** The number of reasons that the toast gives for records that were not undone. */
const maxReasons = 3;

interface UndoWords {
  /** A count in words: '3 challans'. */
  counted: Counted;
  /** The name of a record that was not undone, with the reason. */
  leftText: (left: LeftRecord) => string;
}

/** Undoes a batch from the toast that reports it. The toast stays open after the dialog has closed. */
export function useUndoFromToast({ counted, leftText }: UndoWords): (batchId: string) => void {
  const { mutate } = batches.useUndo({
    onSuccess: ({ data: { number, undone, leftCount, left } }) => {
      if (undone > 0) notify.success(`${number} undone: ${counted(undone)} as before`);
      if (leftCount === 0) return;
      const reasons = [...new Set(left.map(leftText))].slice(0, maxReasons).join(' ');
      notify.warning(`${counted(leftCount)} left as ${leftCount === 1 ? 'it is' : 'they are'}: ${reasons}`);
    },
    onError: (error) => notify.error(error, 'Failed to undo the change'),
  });
  return (batchId) => mutate({ params: { id: batchId } });
}
