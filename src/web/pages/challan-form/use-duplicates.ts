import { useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useQueryClient } from '@tanstack/react-query';
import type { ChallanReference } from '../../../shared/contract/challan.ts';
import { challans } from '../../api/challans.ts';
import { changedFields } from '../../challans/form-changes.ts';
import { storedValues, type FormValues } from '../../challans/form-values.ts';
import type { FormModel } from './form-model.ts';

export interface Found {
  sameTp: readonly ChallanReference[];
  sameTrip: readonly ChallanReference[];
  /** Found while saving: 'Save anyway' is offered. */
  stopsSaving: boolean;
}

export interface Duplicates {
  found: Found | undefined;
  /** On leaving TP No, Vehicle No or Loading Date. */
  checkTyped: () => void;
  /** Before saving; true: nothing was found, or what was found is accepted. */
  allowsSaving: () => Promise<boolean>;
  /** 'Save anyway': these numbers are right. */
  accept: () => void;
  forget: () => void;
}

interface Asked {
  tpNo: string;
  vehicleNo: string;
  loadingDate: string;
}

/** docs/specification.md §8.2.6: the same TP, or the same vehicle on the same loading day, on another challan. */
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

  /** What is worth asking for. Remembered numbers are only judged on saving: they are meant to be overwritten. */
  const wanted = (values: FormValues, isSaving: boolean): Asked => {
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

  const look = async (asked: Asked, stopsSaving: boolean): Promise<boolean> => {
    newest.current += 1;
    const mine = newest.current;
    const hasTrip = asked.vehicleNo !== '' && asked.loadingDate !== '';
    if (asked.tpNo === '' && !hasTrip) {
      setFound(undefined);
      return false;
    }
    try {
      const { data } = await client.fetchQuery({
        ...challans.findDuplicatesOptions({ query: { ...asked, excludeId: stored?.id } }),
        staleTime: stopsSaving ? 0 : 5_000,
        retry: false,
      });
      const isAny = data.sameTp.length > 0 || data.sameTrip.length > 0;
      if (mine === newest.current) {
        const next = isAny ? { ...data, stopsSaving } : undefined;
        // What stops the saving takes the focus: it must be drawn when this returns.
        if (stopsSaving) flushSync(() => setFound(next));
        else setFound(next);
      }
      return isAny;
    } catch {
      // A warning that could not be had must not keep anybody from working.
      return false;
    }
  };

  return {
    found,
    checkTyped: () => {
      const asked = wanted(form.getValues(), false);
      if (JSON.stringify(asked) !== accepted.current) void look(asked, false);
    },
    allowsSaving: async () => {
      const asked = wanted(form.getValues(), true);
      if (JSON.stringify(asked) === accepted.current) return true;
      return !(await look(asked, true));
    },
    accept: () => {
      accepted.current = JSON.stringify(wanted(form.getValues(), true));
      setFound(undefined);
    },
    forget: () => {
      newest.current += 1;
      accepted.current = '';
      setFound(undefined);
    },
  };
}
