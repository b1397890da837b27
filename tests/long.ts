const factor = Number(process.env.LONG ?? 1);

/** How many rounds, or milliseconds: as many as `npm test` has, or LONG times as many (`npm run test:long`). */
export const long = (usual: number): number => Math.round(usual * factor);
