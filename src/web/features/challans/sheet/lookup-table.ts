import { nameKey, routeKey, vehicleKey, tpKey } from '../../../../shared/calc/keys.ts';
import type { DeclaredDays } from '../../../../shared/calc/declaration.ts';
import { isZero } from '../../../../shared/calc/money.ts';
import { grouped } from '../../../../shared/calc/grouped.ts';
import type { ChallanReference } from '../../../../shared/contract/challan.ts';
import type { SheetCheck, SheetCheckInput } from '../../../../shared/contract/challan-sheet.ts';
import {
  tripKey,
  type FoundOwner,
  type FoundVehicle,
  type Lookups,
  type RowCheck,
  type UnknownKind,
} from '../../../../shared/sheet/check-row.ts';

type AskedRow = SheetCheckInput['rows'][number];
export interface StoredTwins {
  sameTp: readonly ChallanReference[];
  sameTrip: readonly ChallanReference[];
}

/** What the server has answered about the names, vehicles and trips of the sheet. */
export class LookupTable implements Lookups {
  readonly #vehicles = new Map<string, FoundVehicle | null>();
  readonly #owners = new Map<string, readonly FoundOwner[]>();
  readonly #tags = new Map<string, readonly { id: string; name: string; color: string }[]>();
  readonly #lastTds = new Map<string, string>();
  readonly #declarations = new Map<string, readonly DeclaredDays[]>();
  readonly #petrolPumps = new Map<string, readonly { id: string; name: string }[]>();
  readonly #lastRates = new Map<string, string | null>();
  /** By row key: the TP No and trip that were asked about, and what was found. */
  readonly #twins = new Map<string, { asked: string; found: StoredTwins | undefined }>();

  vehicle = (vehicleNo: string): FoundVehicle | null | undefined => this.#vehicles.get(vehicleKey(vehicleNo));
  owners = (name: string): readonly FoundOwner[] | undefined => this.#owners.get(nameKey(name));
  tags = (name: string) => this.#tags.get(nameKey(name));
  petrolPumps = (name: string) => this.#petrolPumps.get(nameKey(name));
  lastTds = (ownerId: string): string | undefined => this.#lastTds.get(ownerId);
  declarations = (ownerId: string): readonly DeclaredDays[] => this.#declarations.get(ownerId) ?? [];
  lastRate: Lookups['lastRate'] = (route) =>
    route.loadingPlace === '' || route.unloadingPlace === '' ? null : this.#lastRates.get(routeKey(route));

  /** The stored challans that may be the same trip as this row. */
  twins(key: string, check: RowCheck): StoredTwins | undefined {
    const known = this.#twins.get(key);
    return known?.asked === tripText(check) ? known.found : undefined;
  }

  /** What the server must be asked about a row; undefined if everything is known. */
  question(key: string, check: RowCheck): AskedRow | undefined {
    const { texts, loadingDay } = check;
    const isNew = <T>(text: string, known: (text: string) => T | undefined): text is string =>
      text !== '' && known(text) === undefined;
    const asked: AskedRow = {
      key,
      ...(isNew(texts.vehicleNo, this.vehicle) && { vehicleNo: texts.vehicleNo }),
      // An owner that was filled in from the vehicle is already known.
      ...(!check.filled.has('ownerName') && isNew(texts.ownerName, this.owners) && { ownerName: texts.ownerName }),
      ...(isNew(texts.discounter, this.owners) && { discounterName: texts.discounter }),
      ...(isNew(texts.tag, this.tags) && { tagName: texts.tag }),
      ...(isNew(texts.petrolPump, this.petrolPumps) && { petrolPumpName: texts.petrolPump }),
    };
    if (this.lastRate(texts) === undefined) {
      asked.loadingPlace = texts.loadingPlace;
      asked.unloadingPlace = texts.unloadingPlace;
    }
    if (this.#isTripNew(key, check)) {
      if (texts.tpNo !== '') asked.tpNo = texts.tpNo;
      if (texts.vehicleNo !== '') asked.vehicleNo = texts.vehicleNo;
      if (loadingDay !== '') asked.loadingDate = loadingDay;
    }
    return Object.keys(asked).length > 1 ? asked : undefined;
  }

  #isTripNew = (key: string, check: RowCheck): boolean =>
    tripText(check) !== ' ' && this.#twins.get(key)?.asked !== tripText(check);

  /** Stores the answer. `checks` are the checks of the rows at the time of the request. */
  take(answer: SheetCheck, questions: readonly AskedRow[], checks: ReadonlyMap<string, RowCheck>): void {
    for (const { asked, found } of answer.vehicles) {
      this.#vehicles.set(
        vehicleKey(asked),
        found && { vehicleType: found.vehicle.typeOfVehicle, wheels: found.vehicle.noOfWheels, owner: found.owner },
      );
    }
    for (const { asked, found } of answer.owners) this.#owners.set(nameKey(asked), found);
    for (const { asked, found } of answer.tags) this.#tags.set(nameKey(asked), found);
    for (const { asked, found } of answer.petrolPumps) this.#petrolPumps.set(nameKey(asked), found);
    for (const { ownerId, tdsPercentage } of answer.lastTds) this.#lastTds.set(ownerId, tdsPercentage);
    for (const [ownerId, days] of grouped(answer.declarations, (one) => [one.ownerId]))
      this.#declarations.set(ownerId, days);
    for (const last of answer.lastRates) this.#lastRates.set(routeKey(last), last.ratePerMT);
    // The server leaves out texts that cannot be names. They are stored as not found.
    const storeNotFound = <T>(table: Map<string, T>, key: string, notFound: T): void => {
      if (!table.has(key)) table.set(key, notFound);
    };
    for (const {
      vehicleNo = '',
      ownerName = '',
      discounterName = '',
      tagName = '',
      petrolPumpName = '',
      loadingPlace = '',
      unloadingPlace = '',
    } of questions) {
      storeNotFound(this.#vehicles, vehicleKey(vehicleNo), null);
      for (const name of [ownerName, discounterName]) storeNotFound(this.#owners, nameKey(name), []);
      storeNotFound(this.#tags, nameKey(tagName), []);
      storeNotFound(this.#petrolPumps, nameKey(petrolPumpName), []);
      storeNotFound(this.#lastRates, routeKey({ loadingPlace, unloadingPlace }), null);
    }
    const found = new Map(answer.twins.map((twins) => [twins.key, twins]));
    for (const [key, check] of checks) {
      if (this.#isTripNew(key, check)) this.#twins.set(key, { asked: tripText(check), found: found.get(key) });
    }
  }

  /**
   * Whether a row must be checked again: it waits for an answer, it names something that was not found, or another rate is
   * known for its route.
   */
  isOutdated = (check: RowCheck): boolean =>
    check.isWaiting || check.unknown.length > 0 || check.lastRate !== this.lastRate(check.texts);

  /**
   * Records the TDS percentages of stored challans, so that the next challans of their owners start with them.
   * Returns a function that reverts this, except for owners in `staying` and for owners with a newer percentage.
   */
  noteTds(challans: readonly { ownerId: string; tdsPercentage: string }[]): (staying: ReadonlySet<string>) => void {
    // A percentage of 0 rests on a declaration, and the next challan may not.
    const given = challans.filter(({ tdsPercentage }) => !isZero(tdsPercentage));
    const last = new Map(given.map(({ ownerId, tdsPercentage }) => [ownerId, tdsPercentage]));
    const before = [...last.keys()].map((ownerId) => [ownerId, this.#lastTds.get(ownerId)] as const);
    for (const [ownerId, tdsPercentage] of last) this.#lastTds.set(ownerId, tdsPercentage);
    return (staying) => {
      for (const [ownerId, percentage] of before) {
        if (staying.has(ownerId) || this.#lastTds.get(ownerId) !== last.get(ownerId)) continue;
        if (percentage === undefined) this.#lastTds.delete(ownerId);
        else this.#lastTds.set(ownerId, percentage);
      }
    };
  }

  /** Forgets the names that were not found, so that they are asked for again after a record was created. */
  forgetUnknown(kind: UnknownKind): void {
    const table: Map<string, unknown> = {
      vehicle: this.#vehicles,
      owner: this.#owners,
      tag: this.#tags,
      petrolPump: this.#petrolPumps,
    }[kind];
    for (const [key, found] of table) {
      if (found === null || (Array.isArray(found) && found.length === 0)) table.delete(key);
    }
  }

  /** Forgets the known twins and last rates, because challans were stored or undone. */
  forgetChallans(): void {
    this.#twins.clear();
    this.#lastRates.clear();
  }
}

const tripText = (check: RowCheck): string => `${tpKey(check.texts.tpNo)} ${tripKey(check)}`;
