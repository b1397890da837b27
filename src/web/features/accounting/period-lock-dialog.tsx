import { useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { countText } from '../../../shared/calc/count-text.ts';
import { formatDate, formatDateTime } from '../../../shared/calc/dates.ts';
import { lockChangeColumns } from '../../../shared/columns/lock-change-columns.ts';
import { MOST_LIFT_HOURS, type LockAct, type LockChange } from '../../../shared/contract/period-lock-acts.ts';
import type { PeriodLock } from '../../../shared/contract/period-lock.ts';
import { ConfirmButton } from '../../kit/actions/confirm-button.tsx';
import { isApiError } from '../../kit/api/api-error.ts';
import { readAgain } from '../../kit/api/create-resource.ts';
import { refusalOf } from '../../kit/api/seat.ts';
import { QueryFailure } from '../../kit/feedback/failure-alert.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { DayField } from '../../kit/forms/day-field.tsx';
import { DataGrid } from '../../kit/grid/data-grid.tsx';
import { Alert } from '../../kit/ui/alert.tsx';
import { useDialogList, useDialogPage } from '../../kit/records/dialog-list.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { Select } from '../../kit/ui/select-field.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { periodLock } from '../../resources/period-lock.ts';
import { periodLockActs } from '../../resources/period-lock-acts.ts';

/** The period lock of the business: up to which day, who set and lifted it, and what changed meanwhile (docs/specification.md §29). */
export default function PeriodLockDialog({ onClose }: { onClose: () => void }) {
  const query = periodLock.useGet({}, readAgain);
  const lock = query.data?.data;
  const refusal = refusalOf(periodLockActs.calls.lock);
  return (
    <Dialog
      size="xl"
      title="Lock Period"
      description="Up to and including the day, money, weights and days of challans, opening balances and days of payment stay as they are."
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      {!lock && (
        <QueryFailure query={query} fallback="Failed to fetch the lock" waiting={<Skeleton className="h-40" />} />
      )}
      {lock && <State lock={lock} refusal={refusal} />}
      {lock && refusal === undefined && <Acting key={lock.version} lock={lock} />}
      {lock && lock.version > 0 && (
        <>
          <Acts />
          <Changes onClose={onClose} />
        </>
      )}
    </Dialog>
  );
}

function State({ lock, refusal }: { lock: PeriodLock; refusal: string | undefined }) {
  const { upTo, lockedBy, lockedAt, openUntil, liftedBy, reason } = lock;
  return (
    <div className="mb-3 grid gap-2">
      {upTo === null || lockedAt === null ? (
        <p>Nothing is locked.</p>
      ) : (
        <p>
          <span className="font-semibold">Books are locked up to {formatDate(upTo)}</span>, by {lockedBy} on{' '}
          {formatDateTime(lockedAt)}.
        </p>
      )}
      {openUntil !== null && (
        <Alert tone="warn" title={`Lifted until ${formatDateTime(openUntil)} by ${liftedBy}`}>
          {reason} – It locks again by itself.
        </Alert>
      )}
      {refusal !== undefined && <p className="text-muted">{refusal}</p>}
    </div>
  );
}

type Act = 'lock' | 'lift';
const acts = [
  { value: 'lock' as const, label: 'Lock up to a day' },
  { value: 'lift' as const, label: 'Lift the lock for some hours' },
];

/** What an owner does with the lock. Its key is the version of the lock, so that each act begins with empty fields. */
function Acting({ lock }: { lock: PeriodLock }) {
  const { upTo, openUntil, version } = lock;
  const [act, setAct] = useState<Act>('lock');
  // While it is lifted, locking again needs no typing.
  const [day, setDay] = useState(openUntil === null ? '' : (upTo ?? ''));
  /** What the day's field has given last: Ctrl+Enter confirms before that is rendered. */
  const taken = useRef<{ day: string; problem?: string | undefined }>({ day });
  const [hours, setHours] = useState('1');
  const [reason, setReason] = useState('');
  const [problems, setProblems] = useState<{ upTo?: string; hours?: string; reason?: string }>({});
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const handlers = (done: string) => ({
    onSuccess: () => notify.success(done),
    onError: (error: Error) => {
      if (isApiError(error, 'VALIDATION_ERROR') && error.fields) setProblems(error.fields);
      else notify.error(error, 'Failed to change the lock');
    },
  });
  const locking = periodLockActs.useLock(handlers('Books locked'));
  const lifting = periodLockActs.useLift(handlers('Lock lifted'));
  const run = (): void => {
    if (locking.isPending || lifting.isPending) return;
    if (act === 'lock') {
      // The field gives its day when it is left.
      first.current?.blur();
      const { day: last, problem = last === '' ? 'Please enter the last day to lock' : undefined } = taken.current;
      if (problem === undefined) locking.mutate({ body: { upTo: last, version } });
      else {
        setProblems({ upTo: problem });
        first.current?.focus();
      }
      return;
    }
    const count = Number(hours);
    const isCount = /^\d+$/.test(hours.trim()) && count >= 1 && count <= MOST_LIFT_HOURS;
    if (isCount && reason.trim() !== '') lifting.mutate({ body: { hours: count, reason, version } });
    else
      setProblems({
        ...(!isCount && { hours: `1 to ${countText(MOST_LIFT_HOURS, 'hour')}` }),
        ...(reason.trim() === '' && { reason: 'Please enter a reason' }),
      });
  };
  const typed =
    (set: (text: string) => void) =>
    (text: string): void => {
      set(text);
      setProblems({});
    };
  return (
    <div className="mb-3 grid grid-cols-4 items-start gap-x-3 border-y border-line pt-3 max-[56rem]:grid-cols-2">
      {upTo !== null && <Select label="Act" value={act} options={acts} onValueChange={setAct} />}
      {act === 'lock' ? (
        <DayField
          ref={first}
          label="Lock up to"
          required
          value={day}
          error={problems.upTo}
          onProblem={(problem) => {
            taken.current.problem = problem;
          }}
          onValueChange={(next) => {
            taken.current.day = next;
            setDay(next);
            setProblems({});
          }}
        />
      ) : (
        <TextField
          ref={first}
          label="Hours"
          required
          inputMode="numeric"
          maxLength={2}
          value={hours}
          error={problems.hours}
          onValueChange={typed(setHours)}
        />
      )}
      {act === 'lift' && (
        <TextField
          label="Reason"
          required
          maxLength={500}
          value={reason}
          error={problems.reason}
          onValueChange={typed(setReason)}
        />
      )}
      <div className="pt-5.5 pb-3">
        <ConfirmButton
          label={act === 'lift' ? 'Lift Lock' : openUntil === null ? 'Lock' : 'Lock Again'}
          calls={act === 'lift' ? periodLockActs.calls.lift : periodLockActs.calls.lock}
          run={run}
          busy={locking.isPending || lifting.isPending}
        />
      </div>
    </div>
  );
}

const actText = ({ kind, upTo, endedAt, changedCount, reason }: LockAct): string =>
  kind === 'lock'
    ? `Locked up to ${formatDate(upTo)}`
    : `Lifted${endedAt === null ? '' : ` until ${formatDateTime(endedAt)}`}: ${reason} · ${countText(changedCount, 'record')} changed`;

function Acts() {
  const list = periodLockActs.useListActs({ query: { limit: 50 } });
  return (
    <>
      <h3 className="mb-1 text-xs font-medium text-muted">Locked and lifted</h3>
      <QueryFailure query={list} fallback="Failed to fetch the list" />
      <ul aria-label="Locked and lifted" className="mb-3 grid max-h-32 gap-1 overflow-y-auto">
        {list.data?.data.map((act) => (
          <li key={act.id} className="nums border-b border-line py-1">
            {actText(act)}
            <span className="text-xs text-muted">
              {' '}
              {formatDateTime(act.at)}, {act.by}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

const keyOf = ({ id }: LockChange): string => id;

const pathOf = ({ record, recordId }: LockChange): string =>
  ({
    challan: `/challans?open=${recordId}`,
    payment: `/accounting/payments?open=${recordId}`,
    'opening-balance': `/accounting/owner/${recordId}/statement`,
  })[record];

/** What was changed in locked days while the lock was lifted. */
function Changes({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const place = useDialogPage();
  const query = periodLockActs.useListChanges({ query: place[0] });
  const { grid } = useDialogList<LockChange>(query, place, 'Failed to fetch the changes', 'changes');
  return (
    <>
      <h3 className="mb-1 text-xs font-medium text-muted">Changed while open</h3>
      <div className="flex h-[36vh] min-h-56 flex-col">
        <DataGrid<LockChange>
          label="Changed while open"
          memoryKey="period-lock-changes"
          columns={lockChangeColumns}
          keyOf={keyOf}
          onOpen={(row) => {
            onClose();
            void navigate(pathOf(row));
          }}
          openLabel="Open the record"
          empty={
            <EmptyState title="Nothing was changed while open">
              What is changed in locked days while the lock is lifted is listed here.
            </EmptyState>
          }
          {...grid}
        />
      </div>
    </>
  );
}
