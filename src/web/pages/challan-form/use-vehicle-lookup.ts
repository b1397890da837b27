import { useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { isWheelCount } from '../../../shared/calc/challan-rules.ts';
import { vehicleKey } from '../../../shared/calc/vehicle.ts';
import type { VehicleDetails } from '../../../shared/contract/trucks.ts';
import { isApiError } from '../../api/api-error.ts';
import { trucks } from '../../api/resources.ts';
import { patiently } from '../../forms/unsettled.ts';
import { notify } from '../../shell/toast.ts';
import type { FormModel } from './use-form-model.ts';

/** What the last lookup said of the number in the field. */
export type VehicleNews =
  | { kind: 'none' }
  | { kind: 'unknown'; vehicleNo: string }
  /** Ruling 24: a count a challan cannot carry is not filled in. */
  | { kind: 'known'; vehicleNo: string; ownerName: string; oddWheels: number | undefined };

export interface VehicleLookup {
  news: VehicleNews;
  lookUp: (vehicleNo: string) => void;
  /** After a truck was created here: the same number again. */
  lookUpAgain: (vehicleNo: string) => void;
  /** Until a lookup that is under way has answered, though not for long: saving must not overtake it. */
  settled: () => Promise<void>;
  /** The number in the field needs no lookup: it came with its owner (a draft, a copied challan, a new form). */
  accept: (vehicleNo: string) => void;
}

const patienceMs = 4_000;

/**
 * Part 2 §2.2: on leaving Vehicle No the trimmed number is looked up. The newest wins, a failure is silent. `known`: the
 * number a new challan is copied with, owner and all.
 */
export function useVehicleLookup(model: FormModel, known: string | undefined): VehicleLookup {
  const client = useQueryClient();
  const { form, track, mode, fill } = model;
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
    fill('vehicleType', vehicle.typeOfVehicle, moment);
    fill('vehicleWheel', fits ? String(vehicle.noOfWheels) : '', moment);
    // On edit the owner stays (part 2 §5); an owner chosen since the lookup began is the newer word.
    if (mode === 'edit' || track.isEditedSince('ownerName', moment)) return;
    fill('ownerName', owner.name, moment);
    fill('ownerContactNumber', owner.contactNumber, moment);
    fill('ownerId', owner.id, moment);
    notify.success(`Owner and vehicle details loaded: ${owner.name}`);
  };

  const ask = async (vehicleNo: string): Promise<void> => {
    newest.current += 1;
    const mine = newest.current;
    const moment = track.now();
    open.current = { number: mine, moment };
    try {
      const { data } = await client.fetchQuery({
        ...trucks.lookUpOptions({ params: { vehicleNumber: vehicleNo } }),
        staleTime: 0,
        retry: false,
      });
      if (mine === newest.current) take(data, vehicleNo, moment);
    } catch (error) {
      if (mine !== newest.current) return;
      const isUnknown = isApiError(error, 'NOT_FOUND');
      setNews(isUnknown ? { kind: 'unknown', vehicleNo } : { kind: 'none' });
      // Nothing is known of the number: leaving the field again asks again.
      if (!isUnknown) asked.current = '';
      unlink(moment);
    } finally {
      if (open.current?.number === mine) open.current = undefined;
    }
  };
  /** The owner in the form may be another vehicle's: it must not be saved with this one. */
  const unlink = (moment: number): void => {
    if (mode === 'create' && !track.isEditedSince('ownerName', moment)) form.setValue('ownerId', '');
  };

  const start = (vehicleNo: string): void => {
    const wanted = vehicleNo.trim();
    asked.current = vehicleKey(wanted);
    if (wanted === '') {
      newest.current += 1;
      setNews({ kind: 'none' });
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
    settled: async () => {
      await patiently(underWay.current, patienceMs);
      if (open.current?.number === newest.current) unlink(open.current.moment);
    },
    accept: (vehicleNo) => {
      newest.current += 1;
      asked.current = vehicleKey(vehicleNo);
      setNews({ kind: 'none' });
    },
  };
}
