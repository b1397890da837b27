import { useId } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { LeftRecord } from '../../shared/contract/batches.ts';
import type { Resource } from '../../shared/contract/define.ts';
import { batches } from '../api/batches.ts';
import { notify } from '../feedback/toast.ts';
import { useDebounced } from '../ui/picker-state.ts';

/** What the two dialogs share that act on a selection, of challans and of master data. */

const debounceMs = 300;

interface Preview<Act, Answer> {
  resource: Resource;
  /** undefined: it is not complete, and nothing is asked. */
  act: Act | undefined;
  ask: (act: Act, signal: AbortSignal) => Promise<Answer>;
}

/** What the act would do; a typed value is asked about when it has been at rest for a moment. */
export function usePreview<Act extends { kind: string }, Answer>({ resource, act, ask }: Preview<Act, Answer>) {
  const asked = JSON.stringify(act ?? null);
  const [settled] = useDebounced(asked, act?.kind === 'set' ? debounceMs : 0);
  const isCurrent = settled === asked;
  const query = useQuery({
    queryKey: [resource, 'preview', useId(), settled],
    queryFn: async ({ signal }) => {
      if (!act) throw new Error('An act is previewed when it is complete');
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

/** Left records that the message names. */
const mostNamed = 3;

interface UndoWords {
  /** '3 challans' */
  counted: (count: number) => string;
  /** How a record that was left is named with its reason. */
  leftText: (left: LeftRecord) => string;
}

/** Takes a batch back, from the message that reports it. It outlives the dialog. */
export function useUndoFromMessage({ counted, leftText }: UndoWords): (batchId: string) => void {
  const { mutate } = batches.useUndo({
    onSuccess: ({ data: { number, undone, leftCount, left } }) => {
      if (undone > 0) notify.success(`${number} undone: ${counted(undone)} as before`);
      if (leftCount === 0) return;
      const reasons = [...new Set(left.map(leftText))].slice(0, mostNamed).join(' ');
      notify.warning(`${counted(leftCount)} left as ${leftCount === 1 ? 'it is' : 'they are'}: ${reasons}`);
    },
    onError: (error) => notify.error(error, 'Failed to undo the change'),
  });
  return (batchId) => mutate({ params: { id: batchId } });
}
