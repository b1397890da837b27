import { useLayoutEffect, useRef, useState } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { isWheelCount } from '../../../shared/calc/challan-rules.ts';
import { vehicleKey } from '../../../shared/calc/vehicle.ts';
import type { VehicleDetails } from '../../../shared/contract/trucks.ts';
import { isApiError } from '../../api/api-error.ts';
import { challans } from '../../api/challans.ts';
import { trucks } from '../../api/trucks.ts';
import { waitAtMost } from '../../forms/pending-pickers.ts';
import { notify } from '../../feedback/toast.ts';
import { getSession } from '../../api/session-store.ts';
import type { FormModel } from './form-model.ts';

/** What the last lookup said of the number in the field. */
export type VehicleNews =
  | { kind: 'none' }
  | { kind: 'unknown'; vehicleNo: string }
  /** These end with it, or are the first of very many. */
  | { kind: 'several'; vehicleNo: string; numbers: readonly string[] }
  /** docs/specification.md §8.2.2: a count a challan cannot carry is not filled in. */
  | { kind: 'known'; vehicleNo: string; ownerName: string; oddWheels: number | undefined };

interface VehicleLookup {
  news: VehicleNews;
  lookUp: (vehicleNo: string) => void;
  /** After a truck was created here: the same number again. */
  lookUpAgain: (vehicleNo: string) => void;
  isUnderWay: () => boolean;
  /** Until a lookup that is under way has answered, though not for long: saving must not overtake it. */
  settled: () => Promise<void>;
  /** The number in the field needs no lookup: it came with its owner (a draft, a copied challan, a new form). */
  accept: (vehicleNo: string) => void;
}

const patienceMs = 4_000;

type Found =
  | { kind: 'known'; vehicleNo: string; details: VehicleDetails }
  | { kind: 'several'; numbers: readonly string[] }
  | { kind: 'unknown' };

/** The truck of this number; where none has it, the only one that ends with it, if it is digits as at the end of a plate. */
async function find(client: QueryClient, typed: string): Promise<Found> {
  const detailsOf = async (vehicleNumber: string): Promise<Found> => {
    const options = trucks.lookUpOptions({ params: { vehicleNumber } });
    try {
      const { data } = await client.fetchQuery({ ...options, staleTime: 0, retry: false });
      return { kind: 'known', vehicleNo: vehicleNumber, details: data };
    } catch (error) {
      if (isApiError(error, 'NOT_FOUND')) return { kind: 'unknown' };
      throw error;
    }
  };
  const exact = await detailsOf(typed);
  const end = vehicleKey(typed);
  if (exact.kind === 'known' || !/^\d{3,}$/.test(end)) return exact;
  const options = trucks.searchOptions({ query: { q: end } });
  const { results, count } = await client.fetchQuery({ ...options, staleTime: 0, retry: false });
  const numbers = results.map(({ truckNumber }) => truckNumber).filter((number) => vehicleKey(number).endsWith(end));
  const [only] = numbers;
  if (count > results.length || numbers.length > 1) return { kind: 'several', numbers };
  return only === undefined ? exact : detailsOf(only);
}

interface LookupOptions {
  /** The number a new challan is copied with, owner and all. */
  known: string | undefined;
  /** The end of a number was replaced by the whole of it. */
  onCompleted: () => void;
}

/**
 * docs/specification.md §8.2.2: on leaving Vehicle No the trimmed number is looked up. The newest wins, a failure is
 * silent.
 */
export function useVehicleLookup(model: FormModel, { known, onCompleted }: LookupOptions): VehicleLookup {
  const client = useQueryClient();
  const { form, track, mode, fillIn } = model;
  const [news, setNews] = useState<VehicleNews>({ kind: 'none' });
  const newest = useRef(0);
  const asked = useRef(vehicleKey(model.stored?.vehicleNo ?? known ?? ''));
  const underWay = useRef<Promise<void>>(Promise.resolve());
  /** The number that is asked for, and when: undefined once it has answered. */
  const open = useRef<{ number: number; moment: number }>(undefined);

  const take = (found: VehicleDetails, vehicleNo: string, moment: number): void => {
    const { owner, vehicle } = found;
    const fits = isWheelCount(vehicle.noOfWheels);
    setNews({
      kind: 'known',
      vehicleNo,
      ownerName: owner.name,
      oddWheels: fits ? undefined : vehicle.noOfWheels,
    });
    fillIn('vehicleType', vehicle.typeOfVehicle, moment);
    fillIn('vehicleWheel', fits ? String(vehicle.noOfWheels) : '', moment);
    // On edit the owner stays (docs/specification.md §8.3.4); an owner chosen since the lookup began is the newer word.
    if (mode === 'edit' || track.isEditedSince('ownerName', moment)) return;
    fillIn('ownerName', owner.name, moment);
    fillIn('ownerContactNumber', owner.contactNumber, moment);
    fillIn('ownerId', owner.id, moment);
    notify.success(`Owner and vehicle details loaded: ${owner.name}`);
  };

  const ask = async (vehicleNo: string): Promise<void> => {
    newest.current += 1;
    const mine = newest.current;
    const moment = track.now();
    open.current = { number: mine, moment };
    try {
      const found = await find(client, vehicleNo);
      if (mine !== newest.current) return;
      if (found.kind === 'known') {
        const isCompleted = found.vehicleNo !== vehicleNo;
        if (isCompleted) {
          // It is being typed over: leaving the field asks again.
          if (vehicleKey(form.getValues('vehicleNo')) !== vehicleKey(vehicleNo)) return;
          asked.current = vehicleKey(found.vehicleNo);
          form.setValue('vehicleNo', found.vehicleNo);
        }
        take(found.details, found.vehicleNo, moment);
        if (isCompleted) onCompleted();
      } else {
        setNews({ ...found, vehicleNo });
        withdraw(moment);
      }
    } catch {
      if (mine !== newest.current) return;
      setNews({ kind: 'none' });
      // Nothing is known of the number: leaving the field again asks again.
      asked.current = '';
      withdraw(moment);
    } finally {
      if (open.current?.number === mine) open.current = undefined;
    }
  };
  /**
   * Nothing is known of the number in the field: what was filled in belongs to another vehicle and goes. What was typed
   * stays, an owner chosen before as a name without its id.
   */
  const withdraw = (moment: number): void => {
    if (mode === 'create' && !track.isEditedSince('ownerName', moment)) form.setValue('ownerId', '');
    const isStoredVehicle = vehicleKey(form.getValues('vehicleNo')) === vehicleKey(track.start.vehicleNo);
    for (const name of track.filledIn) form.setValue(name, isStoredVehicle ? track.start[name] : '');
    track.filledIn.clear();
  };

  const start = (vehicleNo: string): void => {
    const wanted = vehicleNo.trim();
    asked.current = vehicleKey(wanted);
    if (wanted === '') {
      newest.current += 1;
      setNews({ kind: 'none' });
      withdraw(track.now());
      return;
    }
    underWay.current = ask(wanted);
  };

  return {
    news,
    // Passing through the field without changing it must not undo an owner picked by hand.
    lookUp: (vehicleNo) => {
      if (vehicleKey(vehicleNo) !== asked.current) start(vehicleNo);
    },
    lookUpAgain: start,
    isUnderWay: () => open.current?.number === newest.current,
    settled: async () => {
      await waitAtMost(underWay.current, patienceMs);
      if (open.current?.number === newest.current) withdraw(open.current.moment);
    },
    accept: (vehicleNo) => {
      newest.current += 1;
      asked.current = vehicleKey(vehicleNo);
      setNews({ kind: 'none' });
    },
  };
}

const unknownTds = 'The last TDS percentage of this owner could not be loaded. Enter it.';

interface LastTds {
  /** Beside the field, when it had to be left empty. */
  hint: string | undefined;
  /** Of the owner's last challan, where that is known. */
  usual: string | undefined;
  /** Until the percentage of the owner that was chosen last is there: saving must not overtake it. */
  settled: () => Promise<void>;
}

/**
 * docs/specification.md §8.3.2: no hidden default; the TDS percentage last used for this owner, else empty. Another
 * owner's is never left standing, and what was typed never replaced. A copied challan keeps its own with the owner it
 * was copied with.
 */
export function useLastTds({ form, mode, track }: FormModel): LastTds {
  const client = useQueryClient();
  const [hint, setHint] = useState<string>();
  const [usual, setUsual] = useState<string>();
  const underWay = useRef<Promise<void>>(Promise.resolve());

  useLayoutEffect(() => {
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
        if (owner !== ownerId) return;
        setUsual(data[0]?.tdsPercentage ?? undefined);
        fill(data[0]?.tdsPercentage ?? '');
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
        const copied = (isCopied && track.copied.tdsPercentage) || '';
        setUsual(copied || undefined);
        fill(copied);
        // Also where it was typed before the owner was known: it may be another than usual.
        const isAsked = ownerId !== '' && copied === '';
        underWay.current = isAsked ? ask(ownerId) : Promise.resolve();
      },
    });
  }, [form, track, mode, client]);

  return { hint, usual, settled: () => waitAtMost(underWay.current) };
}

/**
 * While a challan is edited: the TDS percentage of the last other one of its owner, once percentage or owner are no longer
 * those that are stored (docs/specification.md §27.6).
 */
export function useOtherTds({ form, track, stored }: FormModel): string | undefined {
  const [ownerId, typed] = useWatch({ control: form.control, name: ['ownerId', 'tdsPercentage'] });
  const { ownerId: owner, tdsPercentage } = track.start;
  const isAsked = stored !== undefined && ownerId !== '' && (ownerId !== owner || typed !== tdsPercentage);
  const query = { page: 1, limit: 2, ownerId };
  const { data, isPlaceholderData } = challans.useList({ query }, { enabled: isAsked, staleTime: 60_000 });
  if (!isAsked || isPlaceholderData) return undefined;
  return data?.data.find(({ id }) => id !== stored.id)?.tdsPercentage ?? undefined;
}
