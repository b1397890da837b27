import { useEffect } from 'react';
import { useWatch } from 'react-hook-form';
import type { Challan } from '../../../shared/contract/challan.ts';
import { challans } from '../../api/resources.ts';
import type { FormModel } from './use-form-model.ts';

/**
 * Ruling 20: no hidden default; the TDS percentage last used for this owner, else empty. A copied challan keeps its own,
 * as long as it stands with the owner it was copied with.
 */
export function useLastTds({ form, mode, track }: FormModel, copyFrom: Challan | undefined): void {
  const ownerId = useWatch({ control: form.control, name: 'ownerId' });
  const isWanted = mode === 'create' && ownerId !== '';
  const { data, isPlaceholderData } = challans.useList(
    { query: { page: 1, limit: 1, ownerId } },
    { enabled: isWanted, staleTime: 60_000, refetchOnWindowFocus: false },
  );
  const isKnown = isWanted && data !== undefined && !isPlaceholderData;
  const last = isKnown ? (data.data[0]?.tdsPercentage ?? '') : undefined;

  const isCopied = copyFrom?.owner.id === ownerId;

  useEffect(() => {
    if (last === undefined || track.isEdited('tdsPercentage')) return;
    if (isCopied && form.getValues('tdsPercentage') !== '') return;
    form.setValue('tdsPercentage', last);
  }, [last, isCopied, form, track]);
}
