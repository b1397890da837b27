import type { OpenSession } from '../../shared/contract/session.ts';
import { session as calls } from '../api/session.ts';
import { confirm } from '../feedback/confirm.tsx';
import { notify } from '../feedback/toast.ts';

export interface OpenSessionsList {
  rows: readonly OpenSession[] | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => void;
  isEnding: boolean;
  /** Why there is nothing to sign out. */
  endOthersReason: string | undefined;
  endOthers: () => Promise<void>;
  /** The one that is being ended. */
  endingId: string | undefined;
  end: (row: OpenSession) => Promise<void>;
}

const sessionsOf = (count: number): string => (count === 1 ? '1 other session' : `${count} other sessions`);

/** The account's open sessions, and how to end one of them, or all but this one. */
export function useOpenSessions(): OpenSessionsList {
  const query = calls.useList({});
  const rows = query.data?.data;
  const others = rows?.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  const end = calls.useEndOthers({
    onSuccess: ({ data: { endedCount } }) =>
      notify.success(endedCount === 0 ? 'No other session was open' : `Signed out of ${sessionsOf(endedCount)}`),
    onError: (error) => notify.error(error, 'Failed to sign out of the other sessions'),
  });
  const endOne = calls.useEnd({
    onSuccess: () => notify.success('Signed out there'),
    onError: (error) => notify.error(error, 'Failed to sign out there'),
  });
  return {
    rows,
    error: query.error,
    isFetching: query.isFetching,
    refetch: () => void query.refetch(),
    isEnding: end.isPending,
    endOthersReason: rows && others === 0 ? 'No other session is open' : undefined,
    endOthers: async () => {
      if (end.isPending) return;
      const isSure = await confirm({
        title: 'Sign out everywhere else?',
        body: `${others === 0 ? 'Every other session' : sessionsOf(others)} of this account will have to sign in again. What is typed there and not saved may be lost. This session goes on.`,
        confirmLabel: 'Sign out everywhere else',
        danger: true,
      });
      if (isSure) end.mutate({});
    },
    endingId: endOne.isPending ? endOne.variables.params.id : undefined,
    end: async ({ id, userAgent, address }) => {
      if (endOne.isPending) return;
      const isSure = await confirm({
        title: `Sign out ${userAgent}?`,
        body: `The session from ${address || 'an unknown address'} will have to sign in again. What is typed there and not saved may be lost.`,
        confirmLabel: 'Sign out',
        danger: true,
      });
      if (isSure) endOne.mutate({ params: { id } });
    },
  };
}
