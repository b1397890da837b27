import { parseArgs } from 'node:util';
import { isDay } from '../shared/calc/dates.ts';
import { SeedError, type Loaded } from './load.ts';
import type { SampleOptions } from './sample-data.ts';
import { isSizeName, sizeNames } from './sizes.ts';

interface SeedOptions extends SampleOptions {
  /** --yes: the database may exist already, as long as it is empty. */
  isConfirmed: boolean;
}

/** Reads `--size M --seed 7 --as-of 2026-11-20`. The defaults are size S, seed 1 and data up to yesterday. */
export function readSeedOptions(args: string[], today: string): SeedOptions {
  let values: { size?: string | undefined; seed?: string | undefined; 'as-of'?: string | undefined; yes?: boolean };
  try {
    const text = { type: 'string' } as const;
    ({ values } = parseArgs({
      args,
      options: { size: text, seed: text, 'as-of': text, yes: { type: 'boolean' } },
      strict: true,
    }));
  } catch (error) {
    throw new SeedError(`${error instanceof Error ? error.message : 'Unknown option'}. ${usage}`);
  }
  const size = (values.size ?? 'S').toUpperCase();
  const seed = values.seed ?? '1';
  const asOf = values['as-of'] ?? today;
  if (!isSizeName(size)) throw new SeedError(`--size must be one of ${sizeNames.join(', ')}. ${usage}`);
  if (!/^\d{1,9}$/.test(seed)) throw new SeedError(`--seed must be a whole number. ${usage}`);
  if (!isDay(asOf) || asOf < '2010-01-01') throw new SeedError(`--as-of must be a day such as 2026-11-20. ${usage}`);
  return { size, seed: Number(seed), asOf, isConfirmed: values.yes === true };
}

const usage = `Usage: npm run seed -- --size ${sizeNames.join('|')} --seed N [--as-of YYYY-MM-DD] [--yes]`;

/** The lines that tell a person how to sign in. */
export function loginLines({ logins }: Loaded): string[] {
  const lines = logins.map(({ role, email, password, bannerName }) =>
    role === 'admin'
      ? `  admin      ${email}  password ${password}  (sign in at /adminlogin)`
      : `  sub-admin  ${email}  password ${password}  (${bannerName}, sign in at /login)`,
  );
  const isAdminKept = logins.every(({ role }) => role !== 'admin');
  return ['Logins:', ...(isAdminKept ? ['  admin      the one the database had already'] : []), ...lines];
}
