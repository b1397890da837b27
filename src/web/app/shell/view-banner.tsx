import { useEffect } from 'react';
import { Eye } from 'lucide-react';
import { formatTime } from '../../../shared/calc/dates.ts';
import { seatNames } from '../../../shared/contract/seats.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { useActions, type Action } from '../../kit/actions/registry.ts';
import { serverNow } from '../../kit/api/server-clock.ts';
import { changeUser, type View } from '../../kit/api/session-store.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { people } from '../../resources/people.ts';

const end = (): void => changeUser({ view: undefined });

/** Above every screen while an owner looks as another seat, until it is ended or ends by itself (docs/specification.md §28.4). */
export default function ViewBanner({ view: { seat, until } }: { view: View }) {
  const { mutate, isPending } = people.useEndViewAs({
    onSuccess: end,
    onError: (error) => notify.error(error, 'Failed to end it'),
  });
  useEffect(() => {
    const timer = setTimeout(end, Date.parse(until) - serverNow().getTime());
    return () => clearTimeout(timer);
  }, [until]);
  const action: Action = {
    id: 'people.end-view-as',
    label: `Stop looking as ${seatNames[seat]}`,
    scope: 'Everywhere',
    words: 'end view seat',
    run: () => mutate({}),
  };
  useActions([action]);
  return (
    <div
      role="status"
      data-print="hide"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-warn/40 bg-warn-soft px-5 py-1.5"
    >
      <Eye size={16} aria-hidden className="text-warn" />
      <p>
        You are looking as <strong>{seatNames[seat]}</strong> until {formatTime(until)}. Nothing can be changed.
      </p>
      <ActionButton action={action} size="sm" busy={isPending}>
        End
      </ActionButton>
    </div>
  );
}
