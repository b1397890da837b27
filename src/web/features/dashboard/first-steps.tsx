import { Link } from 'react-router-dom';
import { Circle, CircleCheck } from 'lucide-react';
import { countText } from '../../../shared/calc/count-text.ts';
import type { Batch } from '../../../shared/contract/batches.ts';
import { newIdempotencyKey } from '../../kit/api/idempotency-key.ts';
import { bankAccounts } from '../../resources/bank-accounts.ts';
import { owners } from '../../resources/owners.ts';
import { petrolPumps } from '../../resources/petrol-pumps.ts';
import { profile } from '../../resources/profile.ts';
import { tags } from '../../resources/tags.ts';
import { trucks } from '../../resources/trucks.ts';
import { refusalOf, refusalOfRight } from '../../kit/api/seat.ts';
import { imports } from '../../resources/imports.ts';
import { batches } from '../../kit/api/batches.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { useUndoBatch } from '../../kit/feedback/undo-batch.tsx';
import { usePreference } from '../../kit/api/account-storage.ts';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { screens } from '../../screens.ts';

/** The first steps of a business, and the sample data that it can try them with (docs/specification.md §23). */

const countOnly = { query: { page: 1, limit: 1 } };
const importsQuery = { query: { kind: 'import' as const, limit: 100 } };

interface Step {
  title: string;
  /** undefined while it loads. */
  isDone: boolean | undefined;
  state: string;
  main: { to: string; label: string };
  /** Other ways to do the step. */
  ways?: readonly { to: string; label: string }[];
}

const optionalCount = (count: number | undefined, noun: string): string =>
  count === undefined ? '' : countText(count, noun);

function useSteps(): Step[] {
  const own = profile.useGet({}).data?.data;
  const ownerCount = owners.useList(countOnly).data?.pagination.totalCount;
  const truckCount = trucks.useList(countOnly).data?.pagination.totalCount;
  const tagCount = tags.useList(countOnly).data?.pagination.totalCount;
  const seesBank = refusalOf(bankAccounts.calls.list) === undefined;
  const accountCount = bankAccounts.useList(countOnly, { enabled: seesBank }).data?.pagination.totalCount;
  const pumpCount = petrolPumps.useList(countOnly).data?.pagination.totalCount;
  const hasAny = (count: number | undefined): boolean | undefined => (count === undefined ? undefined : count > 0);
  const isFilled =
    own && [own.bannerName, own.gstNo, own.contactNumber, own.officeAddress].every((text) => text.trim() !== '');
  return [
    {
      title: 'Your profile',
      isDone: isFilled,
      state: isFilled === false ? 'Some fields are empty' : '',
      main: { to: '/profile', label: 'Open profile' },
    },
    {
      title: 'Owners',
      isDone: hasAny(ownerCount),
      state: optionalCount(ownerCount, 'owner'),
      main: { to: '/owners', label: 'Type' },
      ways: [
        { to: '/import?kind=owners', label: 'Paste or import' },
        { to: screens.copyOwners.path, label: 'Copy from other businesses' },
        ...(refusalOfRight(screens.openingBalances.right) === undefined
          ? [{ to: screens.openingBalances.path, label: 'Opening balances' }]
          : []),
      ],
    },
    {
      title: 'Trucks',
      isDone: hasAny(truckCount),
      state: optionalCount(truckCount, 'truck'),
      main: { to: '/trucks', label: 'Type' },
      ways: [{ to: '/import?kind=trucks', label: 'Paste or import' }],
    },
    {
      title: 'Tags and petrol pumps',
      isDone: tagCount === undefined || pumpCount === undefined ? undefined : tagCount > 0 && pumpCount > 0,
      state: [optionalCount(tagCount, 'tag'), optionalCount(pumpCount, 'pump')].filter(Boolean).join(', '),
      main: { to: '/tags', label: 'Type' },
      ways: [
        { to: '/import?kind=tags', label: 'Paste or import tags' },
        { to: '/import?kind=petrol-pumps', label: 'Paste or import pumps' },
      ],
    },
    ...(seesBank
      ? [
          {
            title: 'Bank account',
            isDone: hasAny(accountCount),
            state: optionalCount(accountCount, 'account'),
            main: { to: screens.bankAccounts.path, label: 'Type' },
          },
        ]
      : []),
    {
      title: 'The first challan',
      isDone: false,
      state: '',
      main: { to: '/challans/create', label: 'Add New Challan' },
      ways: [
        { to: '/challans/sheet', label: 'Paste or open a file' },
        { to: '/import?kind=challans', label: 'Import past challans' },
      ],
    },
  ];
}

/** Shown while the business has no challan. */
export function FirstSteps() {
  const [isHidden, setHidden] = usePreference<boolean>('first-steps-hidden', false);
  if (isHidden) {
    return (
      <p className="text-center">
        <Button size="sm" variant="ghost" onClick={() => setHidden(false)}>
          Show the first steps
        </Button>
      </p>
    );
  }
  return <Steps onHide={() => setHidden(true)} />;
}

function Steps({ onHide }: { onHide: () => void }) {
  const steps = useSteps();
  const add = imports.useAddSample({
    onSuccess: () => notify.success('Sample data added. You can remove it again in one step.'),
    onError: (error) => notify.error(error, 'Failed to add the sample data'),
  });
  const done = steps.filter(({ isDone }) => isDone).length;
  return (
    <section
      aria-labelledby="first-steps"
      className="mx-auto w-full max-w-3xl rounded-lg border border-line bg-surface p-4 shadow-card"
    >
      <div className="flex flex-wrap items-center gap-3">
        <h2 id="first-steps" className="font-semibold">
          First steps
        </h2>
        <p className="text-muted">
          {done} of {steps.length} done
        </p>
        <div className="ml-auto flex gap-2">
          <Button
            busy={add.isPending}
            disabledReason={refusalOf(imports.calls.addSample)}
            onClick={() => add.mutate({ idempotencyKey: newIdempotencyKey() })}
          >
            Try with sample data
          </Button>
          <Button variant="ghost" onClick={onHide}>
            Hide
          </Button>
        </div>
      </div>
      <ol className="mt-2 divide-y divide-line">
        {steps.map(({ title, isDone, state, main, ways = [] }) => (
          <li key={title} className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 py-1.5">
            {isDone ? (
              <CircleCheck size={16} aria-label="Done" role="img" className="text-good" />
            ) : (
              <Circle size={16} aria-label="Not done yet" role="img" className="text-muted" />
            )}
            <span className="font-medium">{title}</span>
            <span className="text-muted">{state}</span>
            <span className="ml-auto flex flex-wrap gap-x-4">
              {[main, ...ways].map(({ to, label }) => (
                <Link key={to} to={to} aria-label={`${title}: ${label}`}>
                  {label}
                </Link>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

const isSample = ({ facts, undoneAt }: Batch): boolean => facts['kind'] === 'sample' && undoneAt === null;

/** Tells that the books contain sample data, and offers to remove it. */
export function SampleNotice() {
  const { data } = batches.useList(importsQuery);
  const { undo, dialog } = useUndoBatch();
  const sample = data?.data.find(isSample);
  return (
    <>
      {sample && (
        <Alert
          tone="info"
          title="There is sample data in your books"
          actions={
            <Button size="sm" onClick={() => void undo(sample)}>
              Remove it
            </Button>
          }
        >
          The names of its owners, tags and petrol pump end in “(sample)”, and its TP numbers begin with “SAMPLE”.
        </Alert>
      )}
      {dialog}
    </>
  );
}
