const factor = Number(process.env.LONG ?? 1);

/**
 * How many rounds, or milliseconds: as many as `npm test` has, or LONG times as many (`npm run test:long`, whose LONG is 10).
 * `atTen` where ten times as many is not what a long run is for.
 */
export const long = (usual: number, atTen = usual * 10): number =>
  Math.round(factor <= 1 ? usual * factor : usual + ((atTen - usual) * (factor - 1)) / 9);
