const factor = Number(process.env.LONG ?? 1);

const scaled = (usual: number, atTen: number): number =>
  Math.round(factor <= 1 ? usual * factor : usual + ((atTen - usual) * (factor - 1)) / 9);

/**
 * How many rounds: as many as the full suite has, a fifth of them in `npm test`, or LONG times as many (`npm run test:long`,
 * whose LONG is 10). `atTen` where ten times as many is not what a long run is for.
 */
export const long = (usual: number, atTen = usual * 10): number => Math.max(1, scaled(usual, atTen));

/** The time limit in ms of a test with such rounds. Fewer rounds have the usual limit. */
export const longLimit = (usual: number, atTen = usual * 10): number => Math.max(usual, scaled(usual, atTen));

/** All of them, or in `npm test` every fifth. */
export const someOf = <T>(all: readonly T[]): readonly T[] => (factor < 1 ? all.filter((_, at) => at % 5 === 0) : all);

/** Whether the full suite runs, in which a test has all its cases. */
export const isFull = factor >= 1;
