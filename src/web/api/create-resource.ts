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
import type { CallArguments, Endpoint } from '../../shared/contract/define.ts';
import type { ApiError } from './api-error.ts';
import { call, type CallOptions, type ResultOf } from './client.ts';
import { noteRefusedWrite } from './session-store.ts';
import { begin, end, keyOf, learn, type OptimisticChange } from './optimistic.ts';

/**
 * A resource's hooks, derived from its contract and from nothing else: `createResource(contract.owners)` has, for each
 * GET that answers JSON, `useList`, `listOptions`, `listKey`; for every other call `useCreate`, `useRemove`, …; and the
 * calls themselves as `calls`. A write refreshes what its `touches` names; nobody lists cache keys by hand. Each resource
 * is a module of its own: a screen loads the contract of those that it names, and of no others.
 */
export function createResource<const R extends Record<string, Endpoint>>(endpoints: R): ResourceHooks<R> {
  const made: Record<string, unknown> = { calls: endpoints };
  for (const [verb, endpoint] of Object.entries(endpoints)) {
    const name = verb.charAt(0).toUpperCase() + verb.slice(1);
    if (isQuery(endpoint)) {
      made[`${verb}Key`] = (args?: CallArguments<Endpoint>) => keyOf(endpoint, args);
      made[`${verb}Options`] = (args: CallArguments<Endpoint>) => optionsOf(endpoint, args);
      made[`use${name}`] = (args: CallArguments<Endpoint>, options?: object) =>
        useQuery({ ...optionsOf(endpoint, args), ...options });
    } else {
      made[`use${name}`] = (options?: WriteOptions<Endpoint>) => useWrite(endpoint, options);
    }
  }
  // The mapped type below states, name by name, what the loop above has just made from the same object.
  return made as ResourceHooks<R>;
}

const isQuery = (endpoint: Endpoint): boolean => endpoint.method === 'GET' && !('kind' in endpoint.answer);

function optionsOf<E extends Endpoint>(endpoint: E, args: CallArguments<E>) {
  const isList = endpoint.query !== undefined && ('page' in endpoint.query.shape || 'q' in endpoint.query.shape);
  return queryOptions<ResultOf<E>, ApiError>({
    queryKey: keyOf(endpoint, args),
    queryFn: ({ signal }) => call(endpoint, args, { signal }),
    ...(isList ? { placeholderData: keepPreviousData } : {}),
  });
}

/** What a write is called with: the endpoint's arguments, and how to send them. */
type WriteVariables<E extends Endpoint> = CallArguments<E> &
  Pick<CallOptions, 'idempotencyKey' | 'file' | 'signal' | 'onSent'>;

interface WriteOptions<E extends Endpoint> {
  onSuccess?: (answer: ResultOf<E>, variables: WriteVariables<E>) => unknown;
  onError?: (error: ApiError, variables: WriteVariables<E>) => unknown;
  onSettled?: (variables: WriteVariables<E>) => unknown;
  /** Shown at once and taken back if the call fails: `(v) => [change(contract.challans.list, (answer) => { … })]`. */
  optimistic?: (variables: WriteVariables<E>) => readonly OptimisticChange[];
  /** What the answer says that was not known when the change was shown, for lists that are not asked again. */
  learned?: (answer: ResultOf<E>, variables: WriteVariables<E>) => readonly OptimisticChange[];
  /**
   * Endpoints whose answers on the screen stay until they are asked for again (docs/specification.md §8.1.1: a row that
   * leaves the filter stays).
   */
  hold?: readonly Endpoint[];
}

/** A write by its endpoint, where it is not known beforehand which resource it is of. */
export function useWrite<E extends Endpoint>(
  endpoint: E,
  options: WriteOptions<E> = {},
): UseMutationResult<ResultOf<E>, ApiError, WriteVariables<E>, readonly OptimisticChange[]> {
  const client = useQueryClient();
  return useMutation<ResultOf<E>, ApiError, WriteVariables<E>, readonly OptimisticChange[]>({
    mutationKey: [endpoint.resource, endpoint.method, endpoint.path],
    mutationFn: (variables) => {
      const { idempotencyKey, file, signal, onSent, ...args } = variables;
      // Safe: what is left after taking the sending options off is CallArguments<E> by the definition of WriteVariables.
      return call(endpoint, args as unknown as CallArguments<E>, { idempotencyKey, file, signal, onSent });
    },
    onMutate: async (variables) => {
      const changes = options.optimistic?.(variables) ?? [];
      await begin(client, changes);
      return changes;
    },
    onError: (error, variables, changes) => {
      end(client, changes ?? [], 'undo');
      if (error.status === 401) noteRefusedWrite();
      return options.onError?.(error, variables);
    },
    onSuccess: (answer, variables, changes) => {
      end(client, changes, 'keep');
      learn(client, options.learned?.(answer, variables) ?? []);
      return options.onSuccess?.(answer, variables);
    },
    onSettled: (_answer, _error, variables) => {
      // Not awaited: the write is over when the server has answered; fresh figures follow. After a failure too, since
      // a conflict or a lost answer means that what is shown may be old.
      refreshTouched(client, endpoint, options.hold);
      return options.onSettled?.(variables);
    },
  });
}

/** What a write has touched is asked for again; answers of the held endpoints stay until then as they are. */
export function refreshTouched(client: QueryClient, endpoint: Endpoint, hold: readonly Endpoint[] = []): void {
  const held = hold.map((item) => item.path);
  for (const resource of endpoint.touches) {
    void client.invalidateQueries({
      queryKey: [resource],
      predicate: (query) => !held.includes(String(query.queryKey[1])),
    });
    if (held.length > 0) void client.invalidateQueries({ queryKey: [resource], refetchType: 'none' });
  }
}

/** What a screen may set on a query; the rest is the contract's. */
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

/** Arguments may be left out where the endpoint needs none. */
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
