import { contract } from '../../../src/shared/contract/index.ts';
import type { Health } from '../../../src/shared/contract/health.ts';
import type { HistoryEntry } from '../../../src/shared/contract/history.ts';
import type { Profile } from '../../../src/shared/contract/profile.ts';
import type { OpenSession } from '../../../src/shared/contract/session.ts';
import type { Settings } from '../../../src/shared/contract/settings.ts';
import type { Subadmin } from '../../../src/shared/contract/subadmins.ts';
import { buildOpenSession, buildProfile, buildSubadmin, idOf, many } from './builders.ts';
import { emptiest, refusal } from './fake-server.ts';
import { add, change, find, paged, take } from './kept.ts';
import type { Desk } from './records.ts';

/** The accounts: those that an admin manages, and the one that is signed in. */
export interface AccountBooks {
  subadmins: Subadmin[];
  settings: Settings;
  health: Health;
  profile: Profile;
  /** The password of the account that is signed in. */
  password: string;
  sessions: OpenSession[];
  /** The history of every record. */
  history: HistoryEntry[];
}

export const noAccounts = (): AccountBooks => ({
  subadmins: [],
  settings: { copiesPerDay: 100, isDirectoryOn: true, updatedAt: '2026-11-20T05:30:00.000Z', version: 1 },
  health: { check: null, backup: null, log: null, disks: [], database: { version: '18.6', warning: null } },
  profile: buildProfile(),
  password: 'old password',
  sessions: many(2, (n) => buildOpenSession(n)),
  history: [],
});

export function keepAccounts({ serve, books }: Desk): void {
  const { subadmins, settings, profile, session } = contract;
  const row = (id: string): Subadmin => find('Subadmin', books.subadmins, id);
  serve(contract.waiting.get, () => ({ data: { releases: 0 } }));
  serve(subadmins.list, ({ query }) => paged(books.subadmins, query));
  serve(subadmins.create, ({ body: { password: _hidden, ...input } }) =>
    add(books.subadmins, buildSubadmin(90 + books.subadmins.length, input)),
  );
  serve(subadmins.update, ({ params, body: { password: _hidden, ...input } }) =>
    change('Subadmin', row(params.id), input),
  );
  serve(subadmins.setActive, ({ params, body }) => change('Subadmin', row(params.id), body));
  serve(subadmins.remove, ({ params }) => take('Subadmin', books.subadmins, params.id));
  serve(contract.health.get, () => ({ data: books.health }));
  serve(settings.get, () => ({ data: books.settings }));
  serve(settings.update, ({ body }) => change('Page of settings', books.settings, body));

  const closeOthers = () => {
    books.sessions = books.sessions.filter(({ isCurrent }) => isCurrent);
  };
  const check = (password: string): void => {
    const message = 'Current password is incorrect';
    if (password !== books.password) throw refusal('WRONG_PASSWORD', message, { fields: { currentPassword: message } });
  };
  serve(contract.secondStep.get, () => ({ data: { isOn: false, since: null, codesLeft: 0, isDemanded: false } }));
  serve(contract.people.listNames, () => ({ data: [{ id: idOf(1), name: 'a@b.in' }] }));
  serve(contract.periodLock.get, () => ({ data: emptiest(contract.periodLock.get.answer).data }));
  serve(session.list, () => ({ data: books.sessions }));
  serve(session.endOthers, () => {
    const endedCount = books.sessions.length - 1;
    closeOthers();
    return { message: 'Signed out everywhere else', data: { endedCount } };
  });
  serve(session.end, ({ params }) => {
    take('Session', books.sessions, params.id);
    return { message: 'Signed out there' };
  });
  serve(session.logout, () => undefined);
  serve(profile.get, () => ({ message: 'Profile fetched', data: books.profile }));
  serve(profile.update, ({ body }) => ({
    message: 'Profile updated successfully',
    ...change('Profile', books.profile, body),
  }));
  serve(profile.changePassword, ({ body: { currentPassword, newPassword } }) => {
    check(currentPassword);
    books.password = newPassword;
    closeOthers();
    return { message: 'Password changed successfully' };
  });
  serve(profile.takeOut, ({ body }) => {
    check(body.currentPassword);
    return { name: 'challan-desk-2026-11-23.zip', text: 'PK' };
  });
  for (const call of Object.values(contract.history))
    serve(call, ({ query }) => ({ ...paged(books.history, query), people: [] }));
}
