import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { CallArguments, Endpoint } from '../../../shared/contract/define.ts';
import type { ResultOf } from './client.ts';

/** The cache key of an endpoint, or of one call of it. It begins with the resource, by which `touches` refreshes. */
export function keyOf<E extends Endpoint>(endpoint: E, args?: CallArguments<E>): QueryKey {
  return args === undefined ? [endpoint.resource, endpoint.path] : [endpoint.resource, endpoint.path, args];
}

/** A change of every cached answer of one endpoint, shown before the server has answered. */
export interface OptimisticChange {
  readonly key: QueryKey;
  readonly apply: (answer: unknown) => unknown;
}

/**
 * Makes a change. `apply` gets a copy of each cached answer of the endpoint, and changes it in place or returns another one.
 * With `args` only the answer to that call is changed.
 */
export function change<E extends Endpoint>(
  endpoint: E,
  apply: (draft: ResultOf<E>) => ResultOf<E> | void,
  args?: CallArguments<E>,
): OptimisticChange {
  return {
    key: keyOf(endpoint, args),
    apply: (answer) => {
      // Safe: only this endpoint's answers are stored under its key.
      const draft = structuredClone(answer) as ResultOf<E>;
      return apply(draft) ?? draft;
    },
  };
}

interface Layered {
  /** The server's answer. */
  base: unknown;
  /** The answer with the pending changes applied. */
  shown: unknown;
  /** The pending changes. */
  changes: OptimisticChange[];
}

const layers = new WeakMap<QueryClient, Map<string, Layered>>();

function layersOf(client: QueryClient): Map<string, Layered> {
  const known = layers.get(client);
  if (known) return known;
  const created = new Map<string, Layered>();
  layers.set(client, created);
  return created;
}

/**
 * Shows changes while their call is running. Several calls may run at once. Each has its own changes, so that a failed call
 * takes back only those. An answer that arrives from the server in the meantime becomes the new base.
 */
export async function showChanges(client: QueryClient, changes: readonly OptimisticChange[]): Promise<void> {
  for (const item of changes) {
    await client.cancelQueries({ queryKey: item.key });
    for (const query of client.getQueryCache().findAll({ queryKey: item.key })) {
      if (query.state.data === undefined) continue;
      const store = layersOf(client);
      const known = store.get(query.queryHash);
      const isCurrent = known !== undefined && known.shown === query.state.data;
      const base = isCurrent ? known.base : query.state.data;
      const all = [...(known?.changes ?? []), item];
      show(client, query.queryKey, query.queryHash, base, all);
    }
  }
}

/** Ends pending changes: `keep` makes them part of the base after a success, `undo` takes them back after a failure. */
export function endChanges(client: QueryClient, changes: readonly OptimisticChange[], outcome: 'keep' | 'undo'): void {
  const store = layersOf(client);
  for (const query of client.getQueryCache().findAll()) {
    const known = store.get(query.queryHash);
    if (!known) continue;
    const mine = known.changes.filter((item) => changes.includes(item));
    if (mine.length === 0) continue;
    const rest = known.changes.filter((item) => !changes.includes(item));
    const isCurrent = known.shown === query.state.data;
    const answer = isCurrent ? known.base : query.state.data;
    const base = outcome === 'keep' && isCurrent ? mine.reduce((changed, item) => item.apply(changed), answer) : answer;
    show(client, query.queryKey, query.queryHash, base, rest);
  }
}

/** Changes the base of cached answers, below the pending changes, for example to what the server answered. */
export function changeBelow(client: QueryClient, changes: readonly OptimisticChange[]): void {
  const store = layersOf(client);
  for (const item of changes) {
    for (const query of client.getQueryCache().findAll({ queryKey: item.key })) {
      if (query.state.data === undefined) continue;
      const known = store.get(query.queryHash);
      const base = known !== undefined && known.shown === query.state.data ? known.base : query.state.data;
      show(client, query.queryKey, query.queryHash, item.apply(base), known?.changes ?? []);
    }
  }
}

function show(client: QueryClient, key: QueryKey, hash: string, base: unknown, changes: OptimisticChange[]): void {
  const shown = changes.reduce((answer, item) => item.apply(answer), base);
  client.setQueryData(key, shown);
  const store = layersOf(client);
  // Read back from the cache, because `setQueryData` may store another object: it reuses unchanged parts of the earlier data.
  if (changes.length > 0) store.set(hash, { base, shown: client.getQueryData(key), changes });
  else store.delete(hash);
}
