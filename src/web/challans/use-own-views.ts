import { useCallback, useMemo, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { preferences } from '../api/preferences.ts';
import { MOST_CHARACTERS, type Preference } from '../../shared/contract/preferences.ts';
import { call } from '../api/client.ts';
import { notify } from '../feedback/toast.ts';
import { readViews, writeViews, type ListView } from './list-views.ts';

/** What becomes of the views that are kept; a sentence: why nothing does. */
export type EditOfViews = (kept: readonly ListView[]) => readonly ListView[] | string;

const tooLarge = 'The views are too large to be kept together: delete one of them, or show fewer columns.';

/** One's own views of a list, which the server keeps for the account. */
export function useOwnViews(listId: string) {
  const key = `views:${listId}`;
  const stored = preferences.useList({}, { staleTime: 60_000 }).data?.data;
  const client = useQueryClient();
  const { mutateAsync: put } = preferences.usePut();
  const own = useMemo(() => readViews(valueOf(stored, key)), [stored, key]);
  const last = useRef(Promise.resolve());

  /** One change after the other, each of what the server holds by then: it may be more than this screen knows of. */
  const change = useCallback(
    (edit: EditOfViews, done: string): void => {
      const save = async (): Promise<void> => {
        try {
          const held = await call(preferences.calls.list, {});
          const next = edit(readViews(valueOf(held.data, key)));
          const value = typeof next === 'string' ? null : writeViews(next);
          const refusal =
            typeof next === 'string' ? next : (value?.length ?? 0) > MOST_CHARACTERS ? tooLarge : undefined;
          if (refusal !== undefined) return notify.error(refusal);
          const { data: saved } = await put({ body: { key, value } });
          // Also where the screen's own question has no answer yet.
          const others = held.data.filter((item) => item.key !== key);
          client.setQueryData(preferences.listKey({}), {
            ...held,
            data: saved ? [...others, saved] : others,
          });
          notify.success(done);
        } catch (error) {
          notify.error(error, 'Failed to save the views');
        }
        return undefined;
      };
      last.current = last.current.then(save);
    },
    [key, put, client],
  );
  return { own, change };
}

const valueOf = (stored: readonly Preference[] | undefined, key: string): string | undefined =>
  stored?.find((item) => item.key === key)?.value;
