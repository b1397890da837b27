import type { Pool } from 'pg';
import { isDatabaseAway } from './pool.ts';
import { withGlobal } from './tenant.ts';

/** Behind by more than this it is not asked: its answers would be called wrong. */
const mostLagMs = 10_000;
const lookEachMs = 1_000;

/** How far a replica is behind, from the places in the log that the primary was seen at, also while nothing is written. */
export class ReplicaLag {
  #seen: { place: bigint; at: number }[] = [];

  /** The primary's log ended here at that time. */
  written(place: bigint, at: number): void {
    this.#seen.push({ place, at });
  }

  /** The replica has replayed up to here: milliseconds since the primary was no further, undefined when it never was. */
  replayed(place: bigint, at: number): number | undefined {
    const last = this.#seen.findLastIndex((seen) => seen.place <= place);
    if (last < 0) {
      // What is older than a minute says no more than that it is too far behind.
      this.#seen = this.#seen.filter((seen) => at - seen.at < 60_000);
      return undefined;
    }
    this.#seen = this.#seen.slice(last);
    return at - (this.#seen[0]?.at ?? at);
  }
}

/** A read-only copy of the database, for reads that may be a moment old (DATABASE_READ_URL, docs/running.md §6). */
export interface Replica {
  readonly main: Pool;
  readonly stream: Pool;
  /** It answers, is a replica, takes our proofs, and is not far behind. */
  isUsable(): boolean;
  /** Seconds that it is behind; undefined while that is not known. */
  lagSeconds(): number | undefined;
  /** Whether this error of a read is the replica's own matter; then it is not asked until the next look. */
  isToBlame(error: unknown): boolean;
  /** How many reads went to the primary since, because it could not be used. */
  passedBy(): number;
  /** Counts one of them. */
  passBy(): void;
  stop(): void;
}

/** Looks at it each second. `say` is told when that changes. */
export function watchReplica(
  primary: Pool,
  { main, stream }: Pick<Replica, 'main' | 'stream'>,
  say: (isUsable: boolean, reason: string) => void = () => undefined,
): Replica & { look(): Promise<void> } {
  const lag = new ReplicaLag();
  let isUsable = false;
  let lagMs: number | undefined;
  let count = 0;
  const set = (is: boolean, reason: string): void => {
    if (is !== isUsable) say(is, reason);
    isUsable = is;
  };
  const look = async (): Promise<void> => {
    try {
      lag.written(await placeOf(primary, 'pg_current_wal_lsn()'), Date.now());
      const { isReplica, isProven, place } = await withGlobal(main, 'read', async (db) => {
        const { rows } = await db.query<{ isReplica: boolean; isProven: boolean; place: string }>(
          `SELECT pg_is_in_recovery() AS "isReplica", is_global() AS "isProven",
             coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::text AS place`,
          [],
          'look-at-replica',
        );
        // A SELECT without a table is one row.
        return rows[0]!;
      });
      lagMs = isReplica ? lag.replayed(BigInt(place), Date.now()) : undefined;
      if (!isReplica) set(false, 'is no replica');
      else if (!isProven) set(false, 'does not take the proofs of DATABASE_URL: sign in with the same password');
      else if (lagMs === undefined || lagMs > mostLagMs) set(false, 'is far behind');
      else set(true, 'can be used');
    } catch (error) {
      lagMs = undefined;
      set(false, isDatabaseAway(error) ? 'does not answer' : 'cannot be asked');
    }
  };
  let looking = look();
  const clock = setInterval(() => (looking = looking.then(look)), lookEachMs);
  clock.unref();
  return {
    main,
    stream,
    look,
    isUsable: () => isUsable,
    lagSeconds: () => (lagMs === undefined ? undefined : lagMs / 1_000),
    isToBlame: (error) => {
      // A row that the primary removed was still read: the replica ends the statement.
      const isConflict = error instanceof Error && 'code' in error && error.code === '40001';
      if (!isConflict && !isDatabaseAway(error)) return false;
      if (!isConflict) set(false, 'does not answer');
      return true;
    },
    passedBy: () => count,
    passBy: () => (count += 1),
    stop: () => clearInterval(clock),
  };
}

async function placeOf(pool: Pool, place: string): Promise<bigint> {
  const { rows } = await withGlobal(pool, 'read', (db) =>
    db.query<{ place: string }>(`SELECT (${place} - '0/0')::text AS place`, [], 'look-at-primary'),
  );
  return BigInt(rows[0]?.place ?? 0);
}

/** The replica while it can be used; otherwise a read passes it by. */
export function usable(replica: Replica | undefined): Replica | undefined {
  if (!replica || replica.isUsable()) return replica;
  replica.passBy();
  return undefined;
}

/** Asks the replica, where there is one, and the primary when it was the replica that failed. */
export async function readFrom<T>(
  replica: Replica | undefined,
  primary: Pool,
  work: (pool: Pool) => Promise<T>,
): Promise<T> {
  if (!replica) return work(primary);
  try {
    return await work(replica.main);
  } catch (error) {
    if (!replica.isToBlame(error)) throw error;
    replica.passBy();
    return work(primary);
  }
}
