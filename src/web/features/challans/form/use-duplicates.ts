import { useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useQueryClient } from '@tanstack/react-query';
import type { ChallanReference } from '../../../../shared/contract/challan.ts';
import { challans } from '../../../resources/challans.ts';
import { changedFields } from './form-changes.ts';
import { storedValues, type FormValues } from './form-values.ts';
import type { FormModel } from './form-model.ts';

export interface Found {
  sameTp: readonly ChallanReference[];
  sameTrip: readonly ChallanReference[];
  /** Found while saving, which offers 'Save anyway'. */
  stopsSaving: boolean;
}

export interface Duplicates {
  found: Found | undefined;
  /** Call it on blur of TP No, Vehicle No or Loading Date. */
  checkTyped: () => void;
  /** Call it before saving. Returns true if there is no duplicate, or if the user has accepted it. */
  allowsSaving: () => Promise<boolean>;
  /** Accepts the current duplicates ('Save anyway'). */
  accept: () => void;
  forget: () => void;
}

interface DuplicateQuery {
  tpNo: string;
  vehicleNo: string;
  loadingDate: string;
}

/** Finds other challans with the same TP, or the same vehicle on the same loading day (docs/specification.md §8.2.6). */
export function useDuplicates({ form, track, stored, mode }: FormModel): Duplicates {
  const client = useQueryClient();
  const [found, setFound] = useState<Found>();
  const newest = useRef(0);
  const accepted = useRef('');

  useLayoutEffect(() => {
    return form.subscribe({
      formState: { values: true },
      callback: ({ name, type }) => {
        if (type !== 'change' || !['tpNo', 'vehicleNo', 'loadingDate'].includes(name ?? '')) return;
        newest.current += 1;
        setFound(undefined);
      },
    });
  }, [form]);

  /** The values to check. Remembered ones are checked only on saving, because the user usually overwrites them. */
  const queryFor = (values: FormValues, isSaving: boolean): DuplicateQuery => {
    const changed = stored ? changedFields(storedValues(stored), values) : [];
    const counts = (name: 'tpNo' | 'vehicleNo' | 'loadingDate'): boolean =>
      mode === 'edit' ? changed.includes(name) : isSaving || track.isEdited(name);
    const isTrip = (counts('vehicleNo') || counts('loadingDate')) && values.vehicleNo.trim() !== '';
    return {
      tpNo: counts('tpNo') ? values.tpNo.trim() : '',
      vehicleNo: isTrip ? values.vehicleNo.trim() : '',
      loadingDate: isTrip ? values.loadingDate : '',
    };
  };

  const search = async (wanted: DuplicateQuery, stopsSaving: boolean): Promise<boolean> => {
    newest.current += 1;
    const mine = newest.current;
    const hasTrip = wanted.vehicleNo !== '' && wanted.loadingDate !== '';
    if (wanted.tpNo === '' && !hasTrip) {
      setFound(undefined);
      return false;
    }
    try {
      const { data } = await client.fetchQuery({
        ...challans.findDuplicatesOptions({ query: { ...wanted, excludeId: stored?.id } }),
        staleTime: stopsSaving ? 0 : 5_000,
        retry: false,
      });
      const isAny = data.sameTp.length > 0 || data.sameTrip.length > 0;
      if (mine === newest.current) {
        const next = isAny ? { ...data, stopsSaving } : undefined;
        // The banner that stops saving gets the focus, so it must be rendered when this returns.
        if (stopsSaving) flushSync(() => setFound(next));
        else setFound(next);
      }
      return isAny;
    } catch {
      // If the check fails, saving goes on: a missing warning must not block the user.
      return false;
    }
  };

  return {
    found,
    checkTyped: () => {
      const wanted = queryFor(form.getValues(), false);
      if (JSON.stringify(wanted) !== accepted.current) void search(wanted, false);
    },
    allowsSaving: async () => {
      const wanted = queryFor(form.getValues(), true);
      if (JSON.stringify(wanted) === accepted.current) return true;
      return !(await search(wanted, true));
    },
    accept: () => {
      accepted.current = JSON.stringify(queryFor(form.getValues(), true));
      setFound(undefined);
    },
    forget: () => {
      newest.current += 1;
      accepted.current = '';
      setFound(undefined);
    },
  };
}
