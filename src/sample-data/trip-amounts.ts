/**
 * The challan calculation of shared/calc (docs/specification.md §8.4) a second time, in whole paise, because a million
 * challans take a minute with decimal strings. tests/calc/sample-data.test.ts checks that both give the same, and the
 * CHECKs of the database refuse a row with other figures.
 */
export interface TripInputs {
  /** These are in hundredths of a tonne, a rupee or a litre. */
  loading: bigint;
  unloading: bigint;
  discount: bigint;
  rate: bigint;
  hsdPrice: bigint;
  litres: bigint;
  advance: bigint;
  office: bigint;
  materialRate: bigint;
  /** In tenths of a percent. */
  tdsTenths: bigint;
}

export interface TripAmounts {
  difference: bigint;
  tds: bigint;
  hsd: bigint;
  shortage: bigint;
  materialShortage: bigint;
  net: bigint;
}

/** The quotient rounded half-up. Both numbers are 0 or more. */
function divide(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

export function tripAmounts(trip: TripInputs): TripAmounts {
  const difference = trip.loading - trip.unloading;
  const charged = difference > 0n ? trip.unloading : trip.loading;
  const excess = difference > trip.discount ? difference - trip.discount : 0n;
  const tds = divide(charged * trip.rate * trip.tdsTenths, 100_000n);
  const hsd = divide(trip.hsdPrice * trip.litres, 100n);
  const materialShortage = divide(excess * trip.materialRate, 100n);
  const net = divide(charged * trip.rate, 100n) - tds - hsd - trip.advance - materialShortage - trip.office;
  return { difference, tds, hsd, shortage: divide(excess * trip.rate, 100n), materialShortage, net };
}

/** Hundredths as a decimal text: −5n is "-0.05". */
export function decimal(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(3, '0');
  const split = digits.length - 2;
  return `${value < 0n ? '-' : ''}${digits.slice(0, split)}.${digits.slice(split)}`;
}
