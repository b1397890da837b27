import { lazy, useCallback, useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { DropdownMenu } from 'radix-ui';
import { ChevronDown, Link2, LogOut, Power, Smartphone, Stamp, UserRound } from 'lucide-react';
import { canChangePerson, reasonOf } from '../../../shared/access.ts';
import { peopleColumns } from '../../../shared/columns/people-columns.ts';
import { viewSeat, type Person } from '../../../shared/contract/people.ts';
import { seatNames } from '../../../shared/contract/seats.ts';
import { LazyDialog } from '../../kit/actions/lazy-dialog.tsx';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { runWithRows, type Action } from '../../kit/actions/registry.ts';
import { changeUser, getSession } from '../../kit/api/session-store.ts';
import { confirm } from '../../kit/feedback/confirm.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { people } from '../../resources/people.ts';
import { screens } from '../../screens.ts';
import { OwnNameDialog } from '../profile/index.ts';
import { LinkDialog, type MadeLink } from './link-dialog.tsx';
import { PersonDialog } from './person-dialog.tsx';

const ReleaseRuleDialog = lazy(() => import('./release-rule-dialog.tsx'));

const scope = screens.people.name;
const nameOf = ({ name, email }: Person): string => name || email;
const refusal = (row: Person): string | undefined =>
  reasonOf(canChangePerson({ ...row, isSelf: row.email === getSession()?.user.email }));

/** The commands for one person. Each asks first, and says in the question what it does. */
function usePersonCommands(onLink: (made: MadeLink) => void) {
  const { mutateAsync: update } = people.useUpdate();
  const { mutateAsync: makeLink } = people.useNewLink();
  const { mutateAsync: endSessions } = people.useEndSessions();
  const { mutateAsync: resetSecondStep } = people.useResetSecondStep();
  const toggle = useCallback(
    async (row: Person): Promise<void> => {
      const { id, version, isActive } = row;
      const isDone = await confirm({
        title: `Switch ${nameOf(row)} ${isActive ? 'off' : 'on'}?`,
        body: isActive
          ? 'All sessions end at once, and the person cannot sign in until you switch them on again. What they recorded stays.'
          : 'The person can sign in again with the password they had.',
        confirmLabel: isActive ? 'Switch Off' : 'Switch On',
        danger: isActive,
        act: () => update({ params: { id }, body: { isActive: !isActive, version } }),
        failed: 'Failed to change the person',
      });
      if (isDone) notify.success(`${nameOf(row)} switched ${isActive ? 'off' : 'on'}`);
    },
    [update],
  );
  const signOut = useCallback(
    async (row: Person): Promise<void> => {
      const isDone = await confirm({
        title: `Sign ${nameOf(row)} out everywhere?`,
        body: 'The person has to sign in again on every device. Unsaved changes there may be lost.',
        confirmLabel: 'Sign Out Everywhere',
        danger: true,
        act: () => endSessions({ params: { id: row.id } }),
        failed: 'Failed to sign the person out',
      });
      if (isDone) notify.success(`${nameOf(row)} signed out everywhere`);
    },
    [endSessions],
  );
  const reset = useCallback(
    async (row: Person): Promise<void> => {
      const isDone = await confirm({
        title: `Reset the second step of ${nameOf(row)}?`,
        body: 'For a phone that is lost. The person signs in with the password alone until they set up another one. Nothing else changes.',
        confirmLabel: 'Reset Second Step',
        danger: true,
        act: () => resetSecondStep({ params: { id: row.id } }),
        failed: 'Failed to reset the second step',
      });
      if (isDone) notify.success(`Second step of ${nameOf(row)} reset`);
    },
    [resetSecondStep],
  );
  const newLink = useCallback(
    async (row: Person): Promise<void> => {
      let made: MadeLink | undefined;
      await confirm({
        title: `Make a new link for ${nameOf(row)}?`,
        body:
          row.joinedAt === null
            ? 'The person joins with it. An earlier link ends.'
            : 'The person sets a new password with it. The old password works until then.',
        confirmLabel: 'Make Link',
        act: async () => {
          const { data, linkToken } = await makeLink({ params: { id: row.id } });
          made = { person: data, token: linkToken };
        },
        failed: 'Failed to make a link',
      });
      if (made) onLink(made);
    },
    [makeLink, onLink],
  );
  return useMemo(() => {
    const shared = { disabledReason: refusal };
    return [
      {
        ...shared,
        id: 'link',
        label: 'New link',
        icon: <Link2 size={15} aria-hidden />,
        keys: 'L',
        calls: people.calls.newLink,
        run: (row: Person): void => void newLink(row),
        disabledReason: (row: Person) =>
          refusal(row) ?? (row.isActive ? undefined : 'This person is switched off. Switch the person on first.'),
      },
      {
        ...shared,
        id: 'sessions',
        label: 'Sign out everywhere',
        icon: <LogOut size={15} aria-hidden />,
        keys: 'O',
        calls: people.calls.endSessions,
        run: (row: Person): void => void signOut(row),
      },
      {
        ...shared,
        id: 'second-step',
        label: 'Reset second step',
        icon: <Smartphone size={15} aria-hidden />,
        calls: people.calls.resetSecondStep,
        run: (row: Person): void => void reset(row),
        disabledReason: (row: Person) =>
          refusal(row) ?? (row.hasSecondStep ? undefined : 'This person has no second step.'),
      },
      {
        ...shared,
        id: 'toggle',
        label: 'Switch off or on',
        icon: <Power size={15} aria-hidden />,
        keys: 'A',
        calls: people.calls.update,
        run: (row: Person): void => void toggle(row),
      },
    ];
  }, [newLink, reset, signOut, toggle]);
}

/** An owner demands a second step of the seats that pay, or no longer (docs/specification.md §28.8). */
function useDemand(): Action {
  const isDemanded = people.useList({}).data?.meta.demandsSecondStep ?? false;
  const { mutateAsync: demand } = people.useDemandSecondStep();
  const change = async (): Promise<void> => {
    const isDone = await confirm({
      title: isDemanded ? 'No longer demand a second step?' : 'Demand a second step?',
      body: isDemanded
        ? 'Owners and accountants may then turn theirs off.'
        : 'Owners and accountants, you too, have to set one up before anything else if they have none. It counts for open sessions at once.',
      confirmLabel: isDemanded ? 'No Longer Demand' : 'Demand',
      act: () => demand({ body: { isDemanded: !isDemanded } }),
      failed: 'Failed to change what is demanded',
    });
    if (isDone) notify.success(isDemanded ? 'A second step is no longer demanded' : 'A second step is demanded');
  };
  return {
    id: 'people.demand-second-step',
    label: isDemanded ? 'No Longer Demand Second Step' : 'Demand Second Step',
    scope,
    words: 'two factor authentication rule totp',
    calls: people.calls.demandSecondStep,
    run: () => void change(),
  };
}

/** An owner looks at the product as another seat (docs/specification.md §28.4). Everything that was loaded before is dropped. */
function useViewAs(): Action[] {
  const navigate = useNavigate();
  const { mutate } = people.useViewAs({
    onSuccess: async ({ data: { until } }, { body }) => {
      await navigate(screens.dashboard.path);
      changeUser({ view: { seat: body.seat, until } });
    },
    onError: (error) => notify.error(error, 'Failed to look as another seat'),
  });
  return viewSeat.options.map((seat) => ({
    id: `people.view-as-${seat}`,
    label: `Look as ${seatNames[seat]}`,
    scope,
    words: 'view impersonate see',
    calls: people.calls.viewAs,
    run: () => mutate({ body: { seat } }),
  }));
}

function ViewAsMenu({ actions }: { actions: readonly Action[] }) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button>
          Look as …
          <ChevronDown size={13} aria-hidden />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="end"
        sideOffset={4}
        className="z-50 min-w-40 rounded-lg border border-line bg-raised p-1 shadow-float"
      >
        {actions.map((action) => (
          <DropdownMenu.Item
            key={action.id}
            className="flex h-8 cursor-pointer items-center rounded px-2 outline-none data-[highlighted]:bg-primary-soft data-[highlighted]:outline data-[highlighted]:outline-primary/60"
            onSelect={() => runWithRows(action)}
          >
            {action.label}
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

/** /profile/people: the people of the business, each with a seat (docs/specification.md §28.3). */
export const PeoplePage = recordScreen<Person>({
  screen: 'people',
  tabsOf: 'profile',
  noun: ['person', 'people'],
  columns: peopleColumns,
  useRows: ({ page, limit }) => {
    const query = people.useList({});
    const all = query.data?.data;
    const totalCount = all?.length ?? 0;
    return {
      query,
      rows: all?.slice((page - 1) * limit, page * limit),
      pagination: all && { currentPage: page, totalPages: Math.ceil(totalCount / limit), totalCount },
      loadPage: async (wanted, size) => ({
        rows: (all ?? []).slice((wanted - 1) * size, wanted * size),
        totalCount,
        isCurrent: true,
      }),
    };
  },
  failed: { list: 'Failed to fetch the people' },
  empty: { text: 'Invite the people of your office. Each gets an own sign-in and a seat.' },
  form: { addLabel: 'Invite', Dialog: PersonDialog, refusal },
  calls: { create: people.calls.invite, update: people.calls.update },
  useMore: () => {
    const [link, setLink] = useState<MadeLink>();
    const [isNaming, setNaming] = useState(false);
    const rowCommands = usePersonCommands(setLink);
    const viewAs = useViewAs();
    const [isRuling, setRuling] = useState(false);
    const rule: Action = {
      id: 'people.release-rule',
      label: 'Rule of Release',
      scope,
      words: 'second person limit approve prepare',
      run: () => setRuling(true),
    };
    const demand = useDemand();
    const ownName: Action = {
      id: 'people.own-name',
      label: 'Your Name',
      scope,
      run: () => setNaming(true),
    };
    return {
      rowCommands,
      isMuted,
      actions: [ownName, rule, demand, ...viewAs],
      aside: (
        <>
          <ActionButton action={ownName} icon={UserRound} />
          <ActionButton action={rule} icon={Stamp} />
          <ActionButton action={demand} icon={Smartphone} />
          <ViewAsMenu actions={viewAs} />
        </>
      ),
      dialogs: (
        <>
          {link && <LinkDialog made={link} onClose={() => setLink(undefined)} />}
          {isRuling && (
            <LazyDialog>
              <ReleaseRuleDialog onClose={() => setRuling(false)} />
            </LazyDialog>
          )}
          {isNaming && <OwnNameDialog onClose={() => setNaming(false)} />}
        </>
      ),
    };
  },
});

const isMuted = ({ isActive }: Person): boolean => !isActive;
