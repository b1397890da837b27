import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Archive, History, KeyRound, Pencil, UserRound, UserX } from 'lucide-react';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { gstError } from '../../../shared/calc/identity.ts';
import { activeStatus } from '../../../shared/columns/define.ts';
import { type Profile, takeOutForm } from '../../../shared/contract/profile.ts';
import { profileCommands } from './profile-actions.ts';
import { useCommands } from '../../kit/actions/registry.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { errorText, requestIdOf } from '../../kit/api/api-error.ts';
import { profile as calls, profile } from '../../resources/profile.ts';
import { renameSession } from '../../kit/api/session-store.ts';
import { QueryFailure } from '../../kit/feedback/failure-alert.tsx';
import { useFailureToast } from '../../kit/feedback/failure-toast.ts';
import { hasKeptEntries } from '../../kit/forms/kept-entries.ts';
import { HistoryDialog } from '../../kit/history/history-dialog.tsx';
import { Facts, orNotProvided, type FactGroup } from '../../kit/records/facts.tsx';
import { ScreenTabs } from '../../kit/records/screen-tabs.tsx';
import { Page } from '../../kit/ui/page.tsx';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { RequestId } from '../../kit/ui/request-id.tsx';
import { useDelayed } from '../../kit/ui/skeleton.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { ChangePasswordDialog } from './change-password-dialog.tsx';
import { OwnNameDialog } from './own-name-dialog.tsx';
import { useSession } from '../../kit/api/use-session.ts';
import { SecondStepSection } from './second-step-section.tsx';
import { OpenSessions } from './open-sessions.tsx';
import { ProfileForm, profileLabels } from './profile-form.tsx';
import { useOpenSessions } from './use-open-sessions.ts';
import { saveFile } from '../../kit/api/client.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { FormField } from '../../kit/forms/form-field.tsx';
import { RecordDialog } from '../../kit/forms/record-dialog.tsx';
import { useRecordForm } from '../../kit/forms/record-form.ts';
import { PasswordField } from '../../kit/ui/password-field.tsx';

const formKey = 'profile';
const notFetched = 'Failed to fetch profile';

/** /profile (docs/specification.md §12.1). */
export function ProfilePage() {
  const query = calls.useGet({});
  const profile = query.data?.data;
  const [isEditing, setEditing] = useState(() => hasKeptEntries(formKey));
  const [isChangingPassword, setChangingPassword] = useState(false);
  const [isTakingOut, setTakingOut] = useState(false);
  const [isNaming, setNaming] = useState(false);
  const user = useSession()?.user;
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);
  const sessions = useOpenSessions();
  const isLate = useDelayed(query.isPending);
  useFailureToast(query.error, notFetched);

  const bannerName = profile?.bannerName;
  useEffect(() => {
    // An admin or another browser may have changed the name since this session began.
    if (bannerName !== undefined) renameSession(bannerName);
  }, [bannerName]);

  const actions = useCommands(profileCommands, {
    edit: () => {
      if (profile) setEditing(true);
    },
    changePassword: () => {
      if (profile) setChangingPassword(true);
    },
    ownName: () => setNaming(true),
    history: () => {
      if (profile) setHistoryOpen(true);
    },
    takeOut: () => {
      if (profile) setTakingOut(true);
    },
    endOthers: { disabledReason: sessions.endOthersReason, run: () => void sessions.endOthers() },
  });
  const stopEditing = (): void => {
    // The button must be rendered again before it can take the focus.
    flushSync(() => setEditing(false));
    editButton.current?.focus();
  };

  if (!profile) {
    return (
      <Page title="My Profile">
        <ScreenTabs of="profile" />
        {query.isError ? (
          <EmptyState
            icon={<UserX size={18} aria-hidden />}
            title="Profile Not Found"
            actions={
              <Button busy={query.isFetching} onClick={() => void query.refetch()}>
                Retry
              </Button>
            }
          >
            <p>Unable to load your profile information.</p>
            <p role="alert" className="mt-1 text-xs">
              {errorText(query.error, notFetched)}
            </p>
            <div className="mt-1 grid justify-center">
              <RequestId id={requestIdOf(query.error)} />
            </div>
          </EmptyState>
        ) : (
          <div className="grid min-h-40 place-items-center">{isLate && <Spinner label="Loading profile" />}</div>
        )}
      </Page>
    );
  }

  const gstProblem = gstError(profile.gstNo);
  return (
    <Page
      title="My Profile"
      actions={
        <>
          {user?.seat && <ActionButton action={actions.ownName} icon={UserRound} />}
          <ActionButton action={actions.history} icon={History} />
          <ActionButton action={actions.takeOut} icon={Archive} />
          <ActionButton action={actions.changePassword} icon={KeyRound} />
          {!isEditing && <ActionButton action={actions.edit} ref={editButton} variant="primary" icon={Pencil} />}
        </>
      }
    >
      <ScreenTabs of="profile" />
      <div className="grid gap-3 min-[1800px]:grid-cols-2">
        <QueryFailure query={query} className="col-span-full" fallback={notFetched}>
          The details below were loaded earlier and may have changed since.
        </QueryFailure>
        {gstProblem !== null && !isEditing && (
          <Alert tone="warn" className="col-span-full" title="The GST number on file is not valid">
            {gstProblem}. Choose Edit Profile to correct it.
          </Alert>
        )}
        <div className="grid gap-x-8 gap-y-5 rounded-lg border [--fact-names:10rem] border-line bg-surface px-5 py-4 shadow-card lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          {isEditing ? (
            <ProfileForm profile={profile} entriesKey={formKey} onClose={stopEditing} />
          ) : (
            <Facts label="Profile Information" heading="h2" groups={[businessFacts(profile)]} />
          )}
          <Facts label="Account Status" heading="h2" groups={[accountFacts(profile)]} />
        </div>
        <SecondStepSection />
        <OpenSessions sessions={sessions} endOthers={actions.endOthers} />
      </div>
      {isHistoryOpen && (
        <HistoryDialog of={{ noun: 'profile' }} title="History of this account" onClose={() => setHistoryOpen(false)} />
      )}
      {isNaming && <OwnNameDialog onClose={() => setNaming(false)} />}
      {isTakingOut && <TakeOutDialog email={user?.email ?? profile.email} onClose={() => setTakingOut(false)} />}
      {isChangingPassword && (
        <ChangePasswordDialog
          account="subadmin"
          email={user?.email ?? profile.email}
          onClose={() => setChangingPassword(false)}
        />
      )}
    </Page>
  );
}

const businessFacts = (profile: Profile): FactGroup => ({
  title: 'Profile Information',
  facts: [
    { label: profileLabels.email, value: profile.email },
    { label: profileLabels.bannerName, value: orNotProvided(profile.bannerName) },
    { label: profileLabels.gstNo, value: orNotProvided(profile.gstNo) },
    { label: profileLabels.contactNumber, value: orNotProvided(profile.contactNumber) },
    { label: profileLabels.officeAddress, value: orNotProvided(profile.officeAddress) },
  ],
});

const accountFacts = (profile: Profile): FactGroup => ({
  title: 'Account Status',
  facts: [
    { label: 'Status', value: activeStatus(profile.isActive).label },
    { label: 'Created', value: formatDateTime(profile.createdAt) },
    { label: 'Last Updated', value: formatDateTime(profile.updatedAt) },
  ],
});

const blank = { values: { currentPassword: '' }, version: undefined };

/** Downloads all data of the business (docs/specification.md §12.4). Mount it only while it is open. */
function TakeOutDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const record = useRecordForm(takeOutForm, blank, { failureTitle: 'Error' });
  const { form } = record;
  const takeOut = profile.useTakeOut({
    onSuccess: (file) => {
      saveFile(file, 'challan-desk.zip');
      notify.success('All data downloaded');
      onClose();
    },
    onError: (error) => record.showFailure(error, 'Failed to export your data'),
  });
  const submit = (): void =>
    record.submit((body) => {
      if (takeOut.isPending) return;
      takeOut.mutate({ body });
    });
  return (
    <RecordDialog
      title="Export All Data"
      saveLabel="Download"
      record={record}
      isBusy={takeOut.isPending}
      onSave={submit}
      onClose={onClose}
      size="sm"
    >
      <p className="mb-3 text-muted">
        You get one archive with all your data: challans, owners, trucks, payments, bank files and the history, as CSV
        files with counts and checksums. It contains account numbers and PANs in full, so keep it in a safe place.
      </p>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <FormField control={form.control} name="currentPassword">
        {(field) => <PasswordField {...field} label="Current Password" autoComplete="current-password" />}
      </FormField>
    </RecordDialog>
  );
}
