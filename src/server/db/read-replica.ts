import type { Pool } from 'pg';
import { isDatabaseAway } from './pool.ts';
import { withGlobal } from './tenant.ts';

/** A replica that lags more than this many milliseconds is not used, because users would call its answers wrong. */
const maxLagMs = 10_000;
const checkEveryMs = 1_000;

/**
 * Computes how far a replica lags, from positions in the primary's log and when they were seen. This works even while
 * nothing is written.
 */
export class ReplicaLag {
  #seen: { place: bigint; at: number }[] = [];

  /** Records that the primary's log ended at this position at this time. */
  recordPrimary(place: bigint, at: number): void {
    this.#seen.push({ place, at });
  }

  /**
   * Records that the replica has replayed up to this position. Returns the milliseconds since the primary was no
   * further; undefined when no recorded position is that old.
   */
  recordReplica(place: bigint, at: number): number | undefined {
    const last = this.#seen.findLastIndex((seen) => seen.place <= place);
    if (last < 0) {
      // A position older than a minute only shows that the replica is too far behind.
      this.#seen = this.#seen.filter((seen) => at - seen.at < 60_000);
      return undefined;
    }
    this.#seen = this.#seen.slice(last);
    return at - (this.#seen[0]?.at ?? at);
  }
}

/** A read-only copy of the database, for reads that may lag (DATABASE_READ_URL, docs/running.md §6). */
export interface Replica {
  readonly main: Pool;
  readonly stream: Pool;
  /** Whether it answers, is a replica, accepts our proofs, and does not lag too far. */
  isUsable(): boolean;
  /** Returns its lag in seconds; undefined while that is not known. */
  lagSeconds(): number | undefined;
  /** Whether the replica caused this error of a read. If it does not answer, it is not used until the next check. */
  isReplicaError(error: unknown): boolean;
  /** Returns how many reads went to the primary because the replica could not be used. */
  bypassCount(): number;
  /** Counts one such read. */
  countBypass(): void;
  stop(): void;
}

/** Checks the replica each second. Calls `say` when its state changes. */
export function watchReplica(
  primary: Pool,
  { main, stream }: Pick<Replica, 'main' | 'stream'>,
  say: (isUsable: boolean, reason: string) => void = () => undefined,
): Replica & { check(): Promise<void> } {
  const lag = new ReplicaLag();
  let isUsable = false;
  let lagMs: number | undefined;
  let count = 0;
  const set = (is: boolean, reason: string): void => {
    if (is !== isUsable) say(is, reason);
    isUsable = is;
  };
  const check = async (): Promise<void> => {
    try {
      lag.recordPrimary(await logPositionOf(primary, 'pg_current_wal_lsn()'), Date.now());
      const { isReplica, isProven, place } = await withGlobal(main, 'read', async (db) => {
        return db.one<{ isReplica: boolean; isProven: boolean; place: string }>(
          `SELECT pg_is_in_recovery() AS "isReplica", is_global() AS "isProven",
             coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::text AS place`,
          [],
          'look-at-replica',
        );
      });
      lagMs = isReplica ? lag.recordReplica(BigInt(place), Date.now()) : undefined;
      if (!isReplica) set(false, 'is no replica');
      else if (!isProven) set(false, 'does not take the proofs of DATABASE_URL: sign in with the same password');
      else if (lagMs === undefined || lagMs > maxLagMs) set(false, 'is far behind');
      else set(true, 'can be used');
    } catch (error) {
      lagMs = undefined;
      set(false, isDatabaseAway(error) ? 'does not answer' : 'cannot be asked');
    }
  };
  let checking = check();
  const clock = setInterval(() => (checking = checking.then(check)), checkEveryMs);
  clock.unref();
  return {
    main,
    stream,
    check,
    isUsable: () => isUsable,
    lagSeconds: () => (lagMs === undefined ? undefined : lagMs / 1_000),
    isReplicaError: (error) => {
      // 40001: the primary removed a row that was still being read, so the replica ended the statement.
      const isConflict = error instanceof Error && 'code' in error && error.code === '40001';
      if (!isConflict && !isDatabaseAway(error)) return false;
      if (!isConflict) set(false, 'does not answer');
      return true;
    },
    bypassCount: () => count,
    countBypass: () => (count += 1),
    stop: () => clearInterval(clock),
  };
}

async function logPositionOf(pool: Pool, place: string): Promise<bigint> {
  const { rows } = await withGlobal(pool, 'read', (db) =>
    db.query<{ place: string }>(`SELECT (${place} - '0/0')::text AS place`, [], 'look-at-primary'),
  );
  return BigInt(rows[0]?.place ?? 0);
}

/** Returns the replica while it can be used; otherwise counts a read that goes to the primary. */
export function usableReplica(replica: Replica | undefined): Replica | undefined {
  if (!replica || replica.isUsable()) return replica;
  replica.countBypass();
  return undefined;
}

/** Runs a read on the replica, if there is one, and again on the primary when the replica caused the error. */
export async function readWithFallback<T>(
  replica: Replica | undefined,
  primary: Pool,
  work: (pool: Pool) => Promise<T>,
): Promise<T> {
  if (!replica) return work(primary);
  try {
    return await work(replica.main);
  } catch (error) {
    if (!replica.isReplicaError(error)) throw error;
    replica.countBypass();
    return work(primary);
  }
}
