import { lazy, useState, type ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { KeyRound, LogIn, LogOut, MonitorSmartphone, Smartphone } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { seatNames } from '../../../shared/contract/seats.ts';
import { LazyDialog } from '../../kit/actions/lazy-dialog.tsx';
import type { Session } from '../../kit/api/session-store.ts';
import { screens } from '../../screens.ts';
import { pages } from '../pages.ts';
import { signOut } from '../session/sign-out.ts';

const ChangePasswordDialog = lazy(async () => ({
  default: (await import('../../features/profile/change-password-dialog.tsx')).ChangePasswordDialog,
}));
const SignInLogDialog = lazy(() => import('../../features/profile/sign-in-log-dialog.tsx'));
const SecondStepDialog = lazy(() => import('../../features/profile/second-step-dialog.tsx'));
const OpenSessionsDialog = lazy(() => import('../../features/profile/open-sessions.tsx'));

const itemLook =
  'flex h-8 cursor-pointer items-center gap-2 rounded px-2 outline-none data-[highlighted]:bg-primary-soft data-[highlighted]:outline data-[highlighted]:outline-primary/60';

/**
 * The user menu (docs/specification.md §3.1). It is a chunk of its own and mounts when its button is first pressed, so it is
 * open from the start.
 */
export default function UserMenu({ session, trigger }: { session: Session; trigger: ReactNode }) {
  const navigate = useNavigate();
  const { profile } = screens;
  const { name, email, seat } = session.user;
  const [opened, setOpened] = useState<'password' | 'second-step' | 'sessions' | 'sign-ins'>();
  const close = (): void => setOpened(undefined);
  return (
    <>
      <DropdownMenu.Root modal={false} defaultOpen>
        <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
        {/* Not in a portal, so that the menu is inside the header, which is a landmark. */}
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          className="z-50 min-w-52 rounded-lg border border-line bg-raised p-1 shadow-float"
        >
          <p className="border-b border-line px-2 pt-1 pb-2 text-xs text-muted">
            {name && (
              <>
                {name}
                <br />
              </>
            )}
            {email}
            <br />
            {session.role === 'admin' ? 'Admin' : seat ? seatNames[seat] : 'Subadmin'}
          </p>
          <div className="pt-1">
            {session.role === 'subadmin' && (
              <DropdownMenu.Item className={itemLook} onSelect={() => void navigate(profile.path)}>
                <pages.profile.icon size={15} aria-hidden />
                {profile.name}
              </DropdownMenu.Item>
            )}
            {session.role === 'admin' && (
              <>
                <DropdownMenu.Item className={itemLook} onSelect={() => setOpened('password')}>
                  <KeyRound size={15} aria-hidden />
                  Change Password
                </DropdownMenu.Item>
                <DropdownMenu.Item className={itemLook} onSelect={() => setOpened('second-step')}>
                  <Smartphone size={15} aria-hidden />
                  Second Step
                </DropdownMenu.Item>
                <DropdownMenu.Item className={itemLook} onSelect={() => setOpened('sessions')}>
                  <MonitorSmartphone size={15} aria-hidden />
                  Open Sessions
                </DropdownMenu.Item>
                <DropdownMenu.Item className={itemLook} onSelect={() => setOpened('sign-ins')}>
                  <LogIn size={15} aria-hidden />
                  Sign-in Log
                </DropdownMenu.Item>
              </>
            )}
            <DropdownMenu.Item className={itemLook} onSelect={signOut}>
              <LogOut size={15} aria-hidden />
              Logout
            </DropdownMenu.Item>
          </div>
        </DropdownMenu.Content>
      </DropdownMenu.Root>
      <LazyDialog>
        {opened === 'password' && <ChangePasswordDialog account="admin" email={email} onClose={close} />}
        {opened === 'sign-ins' && <SignInLogDialog onClose={close} />}
        {opened === 'second-step' && <SecondStepDialog onClose={close} />}
        {opened === 'sessions' && <OpenSessionsDialog onClose={close} />}
      </LazyDialog>
    </>
  );
}
