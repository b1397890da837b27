import {
  keepPreviousData,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type QueryClient,
  type UseQueryOptions,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { CallArguments, Endpoint } from '../../../shared/contract/define.ts';
import type { Pagination } from '../../../shared/contract/scalars.ts';
import type { ApiError } from './api-error.ts';
import { call, type CallOptions, type ResultOf } from './client.ts';
import { noteRefusedWrite } from './session-store.ts';
import { changeBelow, endChanges, keyOf, showChanges, type OptimisticChange } from './optimistic.ts';

/** The options of a query that is read again each time its dialog opens: an older version could not be saved. */
export const readAgain = { staleTime: 0, refetchOnMount: 'always' } as const;

/**
 * Makes the hooks of a resource from its contract. `createResource(contract.owners)` has `useList`, `listOptions` and `listKey`
 * for each GET that answers with JSON, `useCreate`, `useRemove` and so on for all other calls, and the calls themselves as
 * `calls`. A write refreshes the resources that its `touches` names, so no screen lists cache keys. Each resource is a module
 * of its own, so that a screen loads only the contracts it needs.
 */
export function createResource<const R extends Record<string, Endpoint>>(endpoints: R): ResourceHooks<R> {
  const hooks: Record<string, unknown> = { calls: endpoints };
  for (const [verb, endpoint] of Object.entries(endpoints)) {
    const name = verb.charAt(0).toUpperCase() + verb.slice(1);
    if (isQuery(endpoint)) {
      hooks[`${verb}Key`] = (args?: CallArguments<Endpoint>) => keyOf(endpoint, args);
      hooks[`${verb}Options`] = (args: CallArguments<Endpoint>) => {
        const options = optionsOf(endpoint, args);
        asked.set(options, { endpoint, args });
        return options;
      };
      hooks[`use${name}`] = (args: CallArguments<Endpoint>, options?: object) => {
        const query = useQuery({ ...optionsOf(endpoint, args), ...options });
        asked.set(query, { endpoint, args });
        return query;
      };
    } else {
      hooks[`use${name}`] = (options?: WriteOptions<Endpoint>) => useWrite(endpoint, options);
    }
  }
  // The cast is safe: the mapped type below describes exactly the names that the loop above makes.
  return hooks as ResourceHooks<R>;
}

/** What was asked for, by the answers of hooks and by options. */
const asked = new WeakMap<object, { endpoint: Endpoint; args: CallArguments<Endpoint> }>();

interface ShownList<Answer> {
  data: Answer | undefined;
  refetch: () => Promise<unknown>;
}

/** Loads a page of a list, past the cache. `list` is what a hook of the list returned, or its options. */
export async function loadPage<Answer>(
  list: object,
  page: number,
  limit: number,
  signal: AbortSignal,
): Promise<Answer> {
  // Safe: hooks and options are noted, this is the call that the answer came from, and each list has a page and a limit.
  const { endpoint, args } = asked.get(list)!;
  const ofPage = { ...args, query: { ...(args.query as object), page, limit } } as CallArguments<Endpoint>;
  return (await call(endpoint, ofPage, { signal })) as unknown as Answer;
}

/**
 * Returns a loader of any page of a list, past the cache. `query` is what a hook of the list returned. A page is not current
 * when its sums are not those that are shown; these are then loaded again.
 */
export function pagesOf<Answer extends { pagination: Pagination }, Row>(
  query: ShownList<Answer>,
  rowsOf: (answer: Answer) => readonly Row[],
) {
  return async (page: number, limit: number, signal: AbortSignal) => {
    const answer = await loadPage<Answer>(query, page, limit, signal);
    const isCurrent = sumsOf(answer) === sumsOf(query.data);
    if (!isCurrent) await query.refetch();
    return { rows: rowsOf(answer), totalCount: answer.pagination.totalCount, isCurrent };
  };
}

/** What an answer says of the whole list: what is neither rows, nor the place of the page, nor the time of the answer. */
const sumsOf = (answer: object | undefined): string =>
  JSON.stringify(answer, (key, value: unknown) =>
    Array.isArray(value) || key === 'pagination' || key === 'generatedAt' ? undefined : value,
  );

const isQuery = (endpoint: Endpoint): boolean => endpoint.method === 'GET' && !('kind' in endpoint.answer);

function optionsOf<E extends Endpoint>(endpoint: E, args: CallArguments<E>) {
  const isList = endpoint.query !== undefined && ('page' in endpoint.query.shape || 'q' in endpoint.query.shape);
  return queryOptions<ResultOf<E>, ApiError>({
    queryKey: keyOf(endpoint, args),
    queryFn: ({ signal }) => call(endpoint, args, { signal }),
    ...(isList ? { placeholderData: keepPreviousData } : {}),
  });
}

/** The variables of a write: the endpoint's arguments, and the options for sending them. */
type WriteVariables<E extends Endpoint> = CallArguments<E> &
  Pick<CallOptions, 'idempotencyKey' | 'file' | 'signal' | 'onSent'>;

interface WriteOptions<E extends Endpoint> {
  onSuccess?: (answer: ResultOf<E>, variables: WriteVariables<E>) => unknown;
  onError?: (error: ApiError, variables: WriteVariables<E>) => unknown;
  onSettled?: (variables: WriteVariables<E>) => unknown;
  /** Changes that are shown at once and taken back if the call fails: `(v) => [change(calls.list, (answer) => { … })]`. */
  optimistic?: (variables: WriteVariables<E>) => readonly OptimisticChange[];
  /** Changes of cached lists that need the server's answer, for lists that are not fetched again. */
  fromAnswer?: (answer: ResultOf<E>, variables: WriteVariables<E>) => readonly OptimisticChange[];
  /**
   * Endpoints that are not fetched again after the write, although it touches them, so that a row which leaves the filter
   * stays on the screen (docs/specification.md §8.1.1).
   */
  keepShown?: readonly Endpoint[];
}

/** The hook of a write, for code that gets the endpoint as a value. */
export function useWrite<E extends Endpoint>(
  endpoint: E,
  options: WriteOptions<E> = {},
): UseMutationResult<ResultOf<E>, ApiError, WriteVariables<E>, readonly OptimisticChange[]> {
  const client = useQueryClient();
  return useMutation<ResultOf<E>, ApiError, WriteVariables<E>, readonly OptimisticChange[]>({
    mutationKey: [endpoint.resource, endpoint.method, endpoint.path],
    mutationFn: (variables) => {
      const { idempotencyKey, file, signal, onSent, ...args } = variables;
      // Safe: without the options for sending, WriteVariables<E> is CallArguments<E>.
      return call(endpoint, args as unknown as CallArguments<E>, { idempotencyKey, file, signal, onSent });
    },
    onMutate: async (variables) => {
      const changes = options.optimistic?.(variables) ?? [];
      await showChanges(client, changes);
      return changes;
    },
    onError: (error, variables, changes) => {
      endChanges(client, changes ?? [], 'undo');
      if (error.status === 401) noteRefusedWrite();
      return options.onError?.(error, variables);
    },
    onSuccess: (answer, variables, changes) => {
      endChanges(client, changes, 'keep');
      changeBelow(client, options.fromAnswer?.(answer, variables) ?? []);
      return options.onSuccess?.(answer, variables);
    },
    onSettled: (_answer, _error, variables) => {
      // Not awaited: the write is finished when the server has answered, and the fresh data may arrive later. It is fetched
      // after a failure too, because after a conflict or a lost answer the shown data may be stale.
      refreshTouched(client, endpoint, options.keepShown);
      return options.onSettled?.(variables);
    },
  });
}

/** Fetches again what a write has touched. Data of the endpoints in `keepShown` is only marked as stale. */
export function refreshTouched(client: QueryClient, endpoint: Endpoint, keepShown: readonly Endpoint[] = []): void {
  const keptPaths = keepShown.map((item) => item.path);
  for (const resource of endpoint.touches) {
    void client.invalidateQueries({
      queryKey: [resource],
      predicate: (query) => !keptPaths.includes(String(query.queryKey[1])),
    });
    if (keptPaths.length > 0) void client.invalidateQueries({ queryKey: [resource], refetchType: 'none' });
  }
}

/** The options of a query that a screen may set. */
type ReadOptions<E extends Endpoint> = Partial<
  Pick<
    UseQueryOptions<ResultOf<E>, ApiError>,
    'enabled' | 'staleTime' | 'gcTime' | 'refetchInterval' | 'refetchOnWindowFocus' | 'refetchOnMount' | 'retry'
  >
> & { placeholderData?: ((previous: ResultOf<E> | undefined) => ResultOf<E> | undefined) | undefined };

type IsQuery<E extends Endpoint> = E['method'] extends 'GET'
  ? E['answer'] extends { kind: string }
    ? false
    : true
  : false;
type QueryVerbs<R> = {
  [K in keyof R & string]: R[K] extends Endpoint ? (IsQuery<R[K]> extends true ? K : never) : never;
}[keyof R & string];
type WriteVerbs<R> = Exclude<keyof R & string, QueryVerbs<R>>;

/** Arguments can be left out if the endpoint needs none. */
type Args<E extends Endpoint> =
  Record<never, never> extends CallArguments<E> ? [args?: CallArguments<E>] : [args: CallArguments<E>];

export type ResourceHooks<R extends Record<string, Endpoint>> = { readonly calls: R } & {
  [K in QueryVerbs<R> as `use${Capitalize<K>}`]: (
    args: CallArguments<R[K]>,
    options?: ReadOptions<R[K]>,
  ) => UseQueryResult<ResultOf<R[K]>, ApiError>;
} & {
  [K in QueryVerbs<R> as `${K}Options`]: (args: CallArguments<R[K]>) => ReturnType<typeof optionsOf<R[K]>>;
} & {
  [K in QueryVerbs<R> as `${K}Key`]: (...args: Args<R[K]>) => readonly unknown[];
} & {
  [K in WriteVerbs<R> as `use${Capitalize<K>}`]: (
    options?: WriteOptions<R[K]>,
  ) => UseMutationResult<ResultOf<R[K]>, ApiError, WriteVariables<R[K]>, readonly OptimisticChange[]>;
};
