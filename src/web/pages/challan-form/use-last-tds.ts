import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import { challans } from '../../api/resources.ts';
import type { FormModel } from './use-form-model.ts';

/** Ruling 20: no hidden default; the TDS percentage last used for this owner, else empty. */
export function useLastTds({ form, mode, track }: FormModel): void {
  const ownerId = useWatch({ control: form.control, name: 'ownerId' });
  const isWanted = mode === 'create' && ownerId !== '';
  const { data, isPlaceholderData } = challans.useList(
    { query: { page: 1, limit: 1, ownerId } },
    { enabled: isWanted, staleTime: 60_000, refetchOnWindowFocus: false },
  );
  const isKnown = isWanted && data !== undefined && !isPlaceholderData;
  const last = isKnown ? (data.data[0]?.tdsPercentage ?? '') : undefined;

  useEffect(() => {
    if (last !== undefined && !track.isEdited('tdsPercentage')) form.setValue('tdsPercentage', last);
  }, [last, form, track]);
}
