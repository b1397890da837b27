/**
 * The challan calculation a second time, written apart from the first: whole numbers only (hundredths as bigint), no
 * decimal library. It shares nothing with src/shared/calc, so that both would have to be wrong in the same way.
 */

export interface OracleInput {
  /** Hundredths (of a MT, rupee, litre, percent); null is an empty field. */
  loading: bigint | null;
  unloading: bigint | null;
  rate: bigint | null;
  tdsPercent: bigint | null;
  hsdPrice: bigint | null;
  liters: bigint | null;
  advance: bigint | null;
  office: bigint | null;
  discount: bigint | null;
  materialRate: bigint | null;
}

export interface OracleFigures {
  difference: bigint | null;
  gross: bigint | null;
  tds: bigint;
  hsd: bigint;
  shortage: bigint;
  materialShortage: bigint;
  net: bigint | null;
}

/** numerator / denominator for values of 0 or more, halves upwards. */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator);
}

export function oracle(c: OracleInput): OracleFigures {
  const weightsKnown = c.loading !== null && c.unloading !== null;
  const difference = weightsKnown ? c.loading! - c.unloading! : null; // both are known here
  const charged = weightsKnown ? (c.loading! < c.unloading! ? c.loading! : c.unloading!) : null; // both are known here
  const excess = difference === null ? 0n : difference - (c.discount ?? 0n);
  const chargedExcess = excess > 0n ? excess : 0n;

  const gross = charged === null || c.rate === null ? null : divideHalfUp(charged * c.rate, 100n);
  const tds =
    charged === null || c.rate === null || c.tdsPercent === null
      ? 0n
      : divideHalfUp(charged * c.rate * c.tdsPercent, 1_000_000n);
  const hsd = divideHalfUp((c.hsdPrice ?? 0n) * (c.liters ?? 0n), 100n);
  const shortage = divideHalfUp(chargedExcess * (c.rate ?? 0n), 100n);
  const materialShortage = divideHalfUp(chargedExcess * (c.materialRate ?? 0n), 100n);
  const net = gross === null ? null : gross - tds - hsd - (c.advance ?? 0n) - materialShortage - (c.office ?? 0n);
  return { difference, gross, tds, hsd, shortage, materialShortage, net };
}

/** Hundredths as a decimal string with two decimals. */
export function hundredths(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(3, '0');
  return (value < 0n ? '-' : '') + digits.slice(0, digits.length - 2) + '.' + digits.slice(digits.length - 2);
}

/** The reverse, for adding up what the calculation printed. Throws on anything but two decimals. */
export function toHundredths(text: string): bigint {
  if (!/^-?\d+\.\d\d$/.test(text)) throw new Error(`not two decimals: ${text}`);
  return BigInt(text.replace('.', ''));
}
