/** A fresh seed each run, printed, so that a failure can be repeated: SEED=123 npx vitest run … */
export function testSeed(name: string): number {
  const seed = process.env.SEED ? Number(process.env.SEED) : Math.floor(Math.random() * 2 ** 31);
  console.log(`SEED=${seed} (${name})`);
  return seed;
}
