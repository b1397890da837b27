import { countText } from '../../../shared/calc/count-text.ts';
import type { OpenSession } from '../../../shared/contract/session.ts';
import { session as calls } from '../../resources/session.ts';
import { confirm } from '../../kit/feedback/confirm.tsx';
import { notify } from '../../kit/feedback/toast.ts';

export interface OpenSessionsList {
  rows: readonly OpenSession[] | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => void;
  isEnding: boolean;
  /** Why no other session can be ended. */
  endOthersReason: string | undefined;
  endOthers: () => Promise<void>;
  /** The id of the session that is being ended. */
  endingId: string | undefined;
  end: (row: OpenSession) => Promise<void>;
}

const sessionsOf = (count: number): string => countText(count, 'other session');

/** The open sessions of the account, with functions that end one of them, or all except this one. */
export function useOpenSessions(): OpenSessionsList {
  const query = calls.useList({});
  const rows = query.data?.data;
  const others = rows?.filter(({ isCurrent }) => !isCurrent).length ?? 0;
  const endAllOthers = calls.useEndOthers({
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
    isEnding: endAllOthers.isPending,
    endOthersReason: rows && others === 0 ? 'No other session is open' : undefined,
    endOthers: async () => {
      if (endAllOthers.isPending) return;
      const isConfirmed = await confirm({
        title: 'Sign out everywhere else?',
        body: `${others === 0 ? 'Every other session' : sessionsOf(others)} of this account will have to sign in again. Unsaved changes there may be lost. This session stays open.`,
        confirmLabel: 'Sign out everywhere else',
        danger: true,
      });
      if (isConfirmed) endAllOthers.mutate({});
    },
    endingId: endOne.isPending ? endOne.variables.params.id : undefined,
    end: async ({ id, userAgent, address }) => {
      if (endOne.isPending) return;
      const isConfirmed = await confirm({
        title: `Sign out ${userAgent}?`,
        body: `The session from ${address || 'an unknown address'} will have to sign in again. Unsaved changes there may be lost.`,
        confirmLabel: 'Sign out',
        danger: true,
      });
      if (isConfirmed) endOne.mutate({ params: { id } });
    },
  };
}
