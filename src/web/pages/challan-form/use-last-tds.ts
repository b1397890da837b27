import { useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { getSession } from '../../api/session-store.ts';
import { challans } from '../../api/resources.ts';
import { patiently } from '../../forms/unsettled.ts';
import { notify } from '../../shell/toast.ts';
import type { FormModel } from './use-form-model.ts';

const unknownTds = 'The last TDS percentage of this owner could not be loaded. Enter it.';

export interface LastTds {
  /** Beside the field, when it had to be left empty. */
  hint: string | undefined;
  /** Until the percentage of the owner that was chosen last is there: saving must not overtake it. */
  settled: () => Promise<void>;
}

/**
 * Ruling 20: no hidden default; the TDS percentage last used for this owner, else empty. Another owner's is never left
 * standing, and what was typed never replaced. A copied challan keeps its own with the owner it was copied with.
 */
export function useLastTds({ form, mode, track }: FormModel): LastTds {
  const client = useQueryClient();
  const [hint, setHint] = useState<string>();
  const underWay = useRef<Promise<void>>(Promise.resolve());

  useEffect(() => {
    if (mode !== 'create') return undefined;
    let owner = form.getValues('ownerId');
    const fill = (percentage: string): void => {
      if (track.isEdited('tdsPercentage') || form.getValues('tdsPercentage') === percentage) return;
      form.setValue('tdsPercentage', percentage);
    };
    const ask = async (ownerId: string): Promise<void> => {
      try {
        const { data } = await client.fetchQuery({
          ...challans.listOptions({ query: { page: 1, limit: 1, ownerId } }),
          staleTime: 60_000,
        });
        if (owner === ownerId) fill(data[0]?.tdsPercentage ?? '');
      } catch {
        if (owner !== ownerId || track.isEdited('tdsPercentage') || getSession() === null) return;
        setHint(unknownTds);
        notify.warning(unknownTds);
      }
    };
    // In the same turn as the owner is set: saving may ask for the percentage right after it.
    return form.subscribe({
      formState: { values: true },
      callback: ({ values: { ownerId }, name, type }) => {
        if (name === 'tdsPercentage' && type === 'change') setHint(undefined);
        if (ownerId === owner) return;
        owner = ownerId;
        setHint(undefined);
        const isCopied = ownerId !== '' && track.copied.ownerId === ownerId;
        fill((isCopied && track.copied.tdsPercentage) || '');
        const isMissing = ownerId !== '' && form.getValues('tdsPercentage') === '';
        underWay.current = isMissing ? ask(ownerId) : Promise.resolve();
      },
    });
  }, [form, track, mode, client]);

  return { hint, settled: () => patiently(underWay.current) };
}
