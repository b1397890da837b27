import { useCallback, useMemo, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { preferences } from '../api/preferences.ts';
import { MOST_CHARACTERS, type Preference } from '../../shared/contract/preferences.ts';
import { call } from '../api/client.ts';
import { notify } from '../feedback/toast.ts';
import { readViews, writeViews, type ListView } from './list-views.ts';

/** Returns the changed views, or a message that says why they cannot be changed. */
export type ViewsEdit = (stored: readonly ListView[]) => readonly ListView[] | string;

const tooLarge = 'The views are too large to be kept together: delete one of them, or show fewer columns.';

/** The views of a list that the user saved. The server stores them for the account. */
export function useOwnViews(listId: string) {
  const key = `views:${listId}`;
  const stored = preferences.useList({}, { staleTime: 60_000 }).data?.data;
  const client = useQueryClient();
  const { mutateAsync: put } = preferences.usePut();
  const own = useMemo(() => readViews(valueOf(stored, key)), [stored, key]);
  const lastSave = useRef(Promise.resolve());

  /**
   * Changes the views. Changes run one after the other, and each one starts from what the server has by then, because another
   * tab or device may have changed the views too.
   */
  const change = useCallback(
    (edit: ViewsEdit, done: string): void => {
      const save = async (): Promise<void> => {
        try {
          const current = await call(preferences.calls.list, {});
          const next = edit(readViews(valueOf(current.data, key)));
          const value = typeof next === 'string' ? null : writeViews(next);
          const refusal =
            typeof next === 'string' ? next : (value?.length ?? 0) > MOST_CHARACTERS ? tooLarge : undefined;
          if (refusal !== undefined) return notify.error(refusal);
          const { data: saved } = await put({ body: { key, value } });
          // The cache is written even if the screen's own request for the preferences has no answer yet.
          const others = current.data.filter((item) => item.key !== key);
          client.setQueryData(preferences.listKey({}), {
            ...current,
            data: saved ? [...others, saved] : others,
          });
          notify.success(done);
        } catch (error) {
          notify.error(error, 'Failed to save the views');
        }
        return undefined;
      };
      lastSave.current = lastSave.current.then(save);
    },
    [key, put, client],
  );
  return { own, change };
}

const valueOf = (stored: readonly Preference[] | undefined, key: string): string | undefined =>
  stored?.find((item) => item.key === key)?.value;
