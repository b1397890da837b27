import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { CallArguments, Endpoint } from '../../shared/contract/define.ts';
import type { ResultOf } from './client.ts';

/** The cache key of an endpoint, or of one call of it: resource first, so that `touches` reaches it. */
export function keyOf<E extends Endpoint>(endpoint: E, args?: CallArguments<E>): QueryKey {
  return args === undefined ? [endpoint.resource, endpoint.path] : [endpoint.resource, endpoint.path, args];
}

/** A change shown before the server has answered, on every cached answer of one endpoint. */
export interface OptimisticChange {
  readonly key: QueryKey;
  readonly apply: (answer: unknown) => unknown;
}

/**
 * `change(contract.challans.list, (answer) => …)`: `apply` gets its own copy of each cached answer of that endpoint and
 * changes it in place (or returns another). With `args` only that one call's answer is changed.
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
  /** The server's answer, and what was made of it with the pending changes on top. */
  base: unknown;
  shown: unknown;
  changes: OptimisticChange[];
}

const layers = new WeakMap<QueryClient, Map<string, Layered>>();

function layersOf(client: QueryClient): Map<string, Layered> {
  const known = layers.get(client);
  if (known) return known;
  const made = new Map<string, Layered>();
  layers.set(client, made);
  return made;
}

/**
 * Several toggles may be under way at once; each keeps its own change, so that one that fails takes back its own and no
 * other's. An answer that arrived from the server in between becomes the new base.
 */
export async function begin(client: QueryClient, changes: readonly OptimisticChange[]): Promise<void> {
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

/** Takes the changes off again: kept (`keep`, the server said yes) or undone. */
export function end(client: QueryClient, changes: readonly OptimisticChange[], outcome: 'keep' | 'undo'): void {
  const store = layersOf(client);
  for (const query of client.getQueryCache().findAll()) {
    const known = store.get(query.queryHash);
    if (!known) continue;
    const mine = known.changes.filter((item) => changes.includes(item));
    if (mine.length === 0) continue;
    const rest = known.changes.filter((item) => !changes.includes(item));
    const isCurrent = known.shown === query.state.data;
    const served = isCurrent ? known.base : query.state.data;
    const base = outcome === 'keep' && isCurrent ? mine.reduce((answer, item) => item.apply(answer), served) : served;
    show(client, query.queryKey, query.queryHash, base, rest);
  }
}

/** Puts what an answer said of a record on the cached lists, below the changes that are still under way. */
export function learn(client: QueryClient, changes: readonly OptimisticChange[]): void {
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
  // setQueryData keeps unchanged parts of the earlier object: what it stored is what must be recognised later.
  if (changes.length > 0) store.set(hash, { base, shown: client.getQueryData(key), changes });
  else store.delete(hash);
}
