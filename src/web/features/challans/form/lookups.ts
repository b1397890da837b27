import { useLayoutEffect, useRef, useState } from 'react';
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { isWheelCount } from '../../../../shared/calc/challan-rules.ts';
import { daysBetween, formatDate } from '../../../../shared/calc/dates.ts';
import { declarationOn, declarationText, declaredText, tdsDay } from '../../../../shared/calc/declaration.ts';
import { vehicleKey } from '../../../../shared/calc/keys.ts';
import { isZero } from '../../../../shared/calc/money.ts';
import type { AnswerOf } from '../../../../shared/contract/define.ts';
import type { VehicleDetails } from '../../../../shared/contract/trucks.ts';
import { isApiError } from '../../../kit/api/api-error.ts';
import { challans } from '../../../resources/challans.ts';
import { declarations } from '../../../resources/declarations.ts';
import { trucks } from '../../../resources/trucks.ts';
import { today } from '../../../kit/forms/day-field.tsx';
import { waitAtMost } from '../../../kit/forms/pending-pickers.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { getSession } from '../../../kit/api/session-store.ts';
import { isSameAmount } from './form-amounts.ts';
import type { FormModel } from './form-model.ts';

/** The result of the last vehicle lookup. */
export type VehicleResult =
  | { kind: 'none' }
  | { kind: 'unknown'; vehicleNo: string }
  /** The trucks whose number ends with it, or the first of very many. */
  | { kind: 'several'; vehicleNo: string; numbers: readonly string[] }
  /** `oddWheels` is a wheel count that a challan cannot hold, so it is not filled in (docs/specification.md §8.2.2). */
  | { kind: 'known'; vehicleNo: string; ownerName: string; oddWheels: number | undefined };

interface VehicleLookup {
  result: VehicleResult;
  lookUp: (vehicleNo: string) => void;
  /** Looks the same number up again, after its truck was created. */
  lookUpAgain: (vehicleNo: string) => void;
  isPending: () => boolean;
  /** Waits for a pending lookup, up to a limit, so that saving does not overtake it. */
  settled: () => Promise<void>;
  /** Skips the lookup of a number that came together with its owner (a draft, a copied challan, a new form). */
  accept: (vehicleNo: string) => void;
}

const maxWaitMs = 4_000;

type Found =
  | { kind: 'known'; vehicleNo: string; details: VehicleDetails }
  | { kind: 'several'; numbers: readonly string[] }
  | { kind: 'unknown' };

/** Finds the truck with this number. If only digits were typed, it also finds the only truck whose number ends with them. */
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
  /** The number of a copied challan, which came together with its owner. */
  known: string | undefined;
  /** Called after the typed end of a number was replaced by the full number. */
  onCompleted: () => void;
}

/**
 * Looks up the trimmed vehicle number on blur of Vehicle No (docs/specification.md §8.2.2). The newest lookup wins, and a
 * failure is silent.
 */
export function useVehicleLookup(model: FormModel, { known, onCompleted }: LookupOptions): VehicleLookup {
  const client = useQueryClient();
  const { form, track, mode, fillIn } = model;
  const [result, setResult] = useState<VehicleResult>({ kind: 'none' });
  const newest = useRef(0);
  const lastKey = useRef(vehicleKey(model.stored?.vehicleNo ?? known ?? ''));
  const pending = useRef<Promise<void>>(Promise.resolve());
  /** The pending lookup and when it began; undefined once it has answered. */
  const open = useRef<{ number: number; moment: number }>(undefined);

  const apply = (found: VehicleDetails, vehicleNo: string, moment: number): void => {
    const { owner, vehicle } = found;
    const fits = isWheelCount(vehicle.noOfWheels);
    setResult({
      kind: 'known',
      vehicleNo,
      ownerName: owner.name,
      oddWheels: fits ? undefined : vehicle.noOfWheels,
    });
    fillIn('vehicleType', vehicle.typeOfVehicle, moment);
    fillIn('vehicleWheel', fits ? String(vehicle.noOfWheels) : '', moment);
    // An edited challan keeps its owner (docs/specification.md §8.3.4), and an owner chosen since the lookup began is newer.
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
          // The user is typing another number: its blur looks it up.
          if (vehicleKey(form.getValues('vehicleNo')) !== vehicleKey(vehicleNo)) return;
          lastKey.current = vehicleKey(found.vehicleNo);
          form.setValue('vehicleNo', found.vehicleNo);
        }
        apply(found.details, found.vehicleNo, moment);
        if (isCompleted) onCompleted();
      } else {
        setResult({ ...found, vehicleNo });
        clearFilledIn(moment);
      }
    } catch {
      if (mine !== newest.current) return;
      setResult({ kind: 'none' });
      // After a failure the next blur looks the number up again.
      lastKey.current = '';
      clearFilledIn(moment);
    } finally {
      if (open.current?.number === mine) open.current = undefined;
    }
  };
  /**
   * Clears the fields that an earlier lookup filled in, because they belong to another vehicle. Typed values stay, and an
   * owner chosen earlier stays as a name without its id.
   */
  const clearFilledIn = (moment: number): void => {
    if (mode === 'create' && !track.isEditedSince('ownerName', moment)) form.setValue('ownerId', '');
    const isStoredVehicle = vehicleKey(form.getValues('vehicleNo')) === vehicleKey(track.start.vehicleNo);
    for (const name of track.filledIn) form.setValue(name, isStoredVehicle ? track.start[name] : '');
    track.filledIn.clear();
  };

  const start = (vehicleNo: string): void => {
    const wanted = vehicleNo.trim();
    lastKey.current = vehicleKey(wanted);
    if (wanted === '') {
      newest.current += 1;
      setResult({ kind: 'none' });
      clearFilledIn(track.now());
      return;
    }
    pending.current = ask(wanted);
  };

  return {
    result,
    // A blur without a change must not overwrite an owner that was picked by hand.
    lookUp: (vehicleNo) => {
      if (vehicleKey(vehicleNo) !== lastKey.current) start(vehicleNo);
    },
    lookUpAgain: start,
    isPending: () => open.current?.number === newest.current,
    settled: async () => {
      await waitAtMost(pending.current, maxWaitMs);
      if (open.current?.number === newest.current) clearFilledIn(open.current.moment);
    },
    accept: (vehicleNo) => {
      newest.current += 1;
      lastKey.current = vehicleKey(vehicleNo);
      setResult({ kind: 'none' });
    },
  };
}

const unknownTds = 'The last TDS percentage of this owner could not be loaded. Enter it.';

export interface TdsLookup {
  /** Why the field is empty if the percentage could not be loaded, or that a declaration is valid which the challan does not follow. */
  hint: string | undefined;
  /** '0 – declaration of 04/04/2026', while the percentage follows from it and is not typed. */
  declared: string | undefined;
  /** The percentage of the owner's last challan, if it is known. */
  usual: string | undefined;
  /** Waits until what is known of the current owner is loaded, so that saving does not overtake it. */
  settled: () => Promise<void>;
}

/** As the field shows it, so that leaving the field changes nothing. */
const zero = '0.0';
const noDeclarations = { data: [], noticeDays: 0 };

/**
 * Fills in the TDS percentage: 0 while a declaration of the owner is valid on the challan's day (docs/specification.md §27.7),
 * else the one last used for the owner; there is no other default (§8.3.2). The percentage of a previous owner is removed, and a
 * typed one is never replaced but by a declaration. A copied challan keeps its own percentage as long as it keeps its owner, and
 * an edited one as long as neither its percentage nor its day changes.
 */
export function useTds({ form, mode, track }: FormModel): TdsLookup {
  const client = useQueryClient();
  const [hint, setHint] = useState<string>();
  const [usual, setUsual] = useState<string>();
  const [holding, setHolding] = useState<string>();
  const [passedBy, setPassedBy] = useState<string>();
  const pending = useRef<Promise<void>>(Promise.resolve());

  useLayoutEffect(() => {
    let owner = mode === 'create' ? form.getValues('ownerId') : '';
    let known: AnswerOf<typeof declarations.calls.ofOwner> = noDeclarations;
    /** The percentage without a declaration. */
    let last = '';
    /** What was put into the field because of a declaration, or because none is valid any more. */
    let ours: string | undefined;
    const put = (name: 'tdsPercentage' | 'tdsDeclarationId', value: string): void => {
      if (form.getValues(name) !== value) form.setValue(name, value);
    };
    const settle = (): void => {
      const values = form.getValues();
      const { stored, start } = track;
      const valid = declarationOn(known.data, tdsDay(values));
      const isOurs = values.tdsPercentage === ours;
      const isUntouched = isOurs || isSameAmount('tdsPercentage', start.tdsPercentage, values.tdsPercentage);
      const isKept = stored && isUntouched && (stored.paymentStatus || tdsDay(values) === tdsDay(start));
      const before = stored?.tdsDeclaration ? '' : start.tdsPercentage;
      if (isKept) {
        put('tdsDeclarationId', start.tdsDeclarationId);
        put('tdsPercentage', start.tdsPercentage);
        ours = undefined;
      } else {
        put('tdsDeclarationId', valid?.id ?? '');
        if (valid && (!stored || isUntouched)) {
          ours = zero;
          put('tdsPercentage', ours);
        } else if (isOurs || (stored?.tdsDeclaration && isUntouched)) {
          ours = stored ? before : undefined;
          put('tdsPercentage', ours ?? last);
        }
      }
      const holds = form.getValues('tdsDeclarationId');
      const named = stored?.tdsDeclaration?.id === holds ? stored.tdsDeclaration.name : valid?.receivedOn;
      const isLapsing = valid && valid.validTo >= today() && daysBetween(today(), valid.validTo) <= known.noticeDays;
      setHolding(
        holds !== '' && named
          ? `${declaredText(named)}${isLapsing ? `, lapses on ${formatDate(valid.validTo)}` : ''}`
          : undefined,
      );
      setPassedBy(
        holds === '' && valid ? `Enter 0: a ${declarationText(valid.receivedOn)} is valid on this day` : undefined,
      );
    };
    const askDeclarations = async (ownerId: string): Promise<void> => {
      const answer = await client.fetchQuery({
        ...declarations.ofOwnerOptions({ params: { id: ownerId } }),
        staleTime: 60_000,
      });
      if (owner === ownerId) known = answer;
    };
    const ask = async (ownerId: string, copied: string): Promise<void> => {
      try {
        const [{ data }] = await Promise.all([
          client.fetchQuery({
            ...challans.listFieldsOptions({ query: { page: 1, limit: 1, ownerId, fields: 'tdsPercentage' } }),
            staleTime: 60_000,
          }),
          askDeclarations(ownerId),
        ]);
        if (owner !== ownerId) return;
        const percentage = copied || (data[0]?.tdsPercentage ?? '');
        last = percentage !== '' && isZero(percentage) ? '' : percentage;
        setUsual(last || undefined);
        if (!track.isEdited('tdsPercentage')) put('tdsPercentage', last);
        settle();
      } catch {
        if (owner !== ownerId || track.isEdited('tdsPercentage') || getSession() === null) return;
        setHint(unknownTds);
        notify.warning(unknownTds);
      }
    };
    if (mode === 'edit') {
      owner = form.getValues('ownerId');
      settle();
      // Without the answer the form is as it was stored, and the server checks what is saved.
      pending.current = askDeclarations(owner).then(settle, () => undefined);
    }
    // A subscription runs in the same turn as the change of the owner. Saving may wait for the percentage right after it.
    return form.subscribe({
      formState: { values: true },
      callback: ({ values: { ownerId }, name, type }) => {
        if (name === 'tdsPercentage' && type === 'change') setHint(undefined);
        if (mode === 'edit' || ownerId === owner) {
          if (name !== 'tdsDeclarationId') settle();
          return;
        }
        owner = ownerId;
        known = noDeclarations;
        setHint(undefined);
        const isCopied = ownerId !== '' && track.copied.ownerId === ownerId;
        const copied = (isCopied && track.copied.tdsPercentage) || '';
        last = copied;
        setUsual(copied || undefined);
        if (!track.isEdited('tdsPercentage')) put('tdsPercentage', copied);
        settle();
        // It is loaded even if a percentage was typed, to warn if that differs from the usual one.
        pending.current = ownerId === '' ? Promise.resolve() : ask(ownerId, copied);
      },
    });
  }, [form, track, mode, client]);

  return {
    hint: passedBy ?? hint,
    declared: holding,
    usual,
    settled: () => waitAtMost(pending.current),
  };
}

/**
 * For an edited challan: the TDS percentage of its owner's last other challan. It is loaded once the percentage or the owner
 * differs from the stored one (docs/specification.md §27.6).
 */
export function useOtherTds({ form, track, stored }: FormModel): string | undefined {
  const [ownerId, typed] = useWatch({ control: form.control, name: ['ownerId', 'tdsPercentage'] });
  const { ownerId: owner, tdsPercentage } = track.start;
  const isNeeded = stored !== undefined && ownerId !== '' && (ownerId !== owner || typed !== tdsPercentage);
  const query = { page: 1, limit: 2, ownerId, fields: 'tdsPercentage' };
  const { data, isPlaceholderData } = challans.useListFields({ query }, { enabled: isNeeded, staleTime: 60_000 });
  if (!isNeeded || isPlaceholderData) return undefined;
  return data?.data.find(({ id }) => id !== stored.id)?.tdsPercentage ?? undefined;
}
