import type { HistoryEntry } from '../../src/shared/contract/history.ts';
import { contract } from '../../src/shared/contract/index.ts';
import type { Profile } from '../../src/shared/contract/profile.ts';
import type { OpenSession } from '../../src/shared/contract/session.ts';
import { failure, idOf, json, makeStage, openApp, page, type Asked, type Stage } from './challan-list-stage.tsx';
import { paged, reply } from './master-data-stage.tsx';

/** The profile screen on a pretend network that checks every body against the contract. */
export const buildProfile = (over: Partial<Profile> = {}): Profile => ({
  email: 'a@b.in',
  bannerName: 'Maa Tarini Roadlines',
  gstNo: '21ABCDE1234F1Z5',
  contactNumber: '9876543210',
  officeAddress: 'Station Road, Keonjhar',
  isActive: true,
  createdAt: '2026-11-14T05:00:00.000Z',
  updatedAt: '2026-11-20T05:30:00.000Z',
  version: 1,
  ...over,
});

export const buildOpenSession = (n: number, over: Partial<OpenSession> = {}): OpenSession => ({
  id: idOf(n),
  createdAt: '2026-11-20T04:00:00.000Z',
  lastUsedAt: '2026-11-20T05:30:00.000Z',
  expiresAt: '2026-11-20T12:00:00.000Z',
  address: `192.168.1.${n}`,
  userAgent: 'Chrome on Windows',
  isCurrent: n === 1,
  ...over,
});

export interface ProfileDesk extends Stage {
  profile: Profile;
  sessions: OpenSession[];
  history: HistoryEntry[];
  password: string;
}

function answerOf(desk: ProfileDesk, { method, path, body, query }: Asked): Response {
  if (path === '/sessions') return reply(contract.session.list, { data: desk.sessions });
  if (path === '/sessions/end-others') {
    const endedCount = desk.sessions.filter(({ isCurrent }) => !isCurrent).length;
    desk.sessions = desk.sessions.filter(({ isCurrent }) => isCurrent);
    return reply(contract.session.endOthers, { message: 'Signed out everywhere else', data: { endedCount } });
  }
  const ended = /^\/sessions\/(.+)$/.exec(path)?.[1];
  if (ended !== undefined) {
    desk.sessions = desk.sessions.filter(({ id }) => id !== ended);
    return reply(contract.session.end, { message: 'Signed out there' });
  }
  if (path === '/subadmins/change-password') {
    const { currentPassword, newPassword } = contract.profile.changePassword.body.parse(body);
    if (currentPassword !== desk.password) {
      const message = 'Current password is incorrect';
      return json(
        { success: false, message, code: 'WRONG_PASSWORD', fields: { currentPassword: message }, requestId: 'r' },
        400,
      );
    }
    desk.password = newPassword;
    desk.sessions = desk.sessions.filter(({ isCurrent }) => isCurrent);
    return reply(contract.profile.changePassword, { message: 'Password changed successfully' });
  }
  if (path === '/subadmins/take-out') {
    const { currentPassword } = contract.profile.takeOut.body.parse(body);
    const message = 'Current password is incorrect';
    if (currentPassword !== desk.password) {
      const fields = { currentPassword: message };
      return json({ success: false, message, code: 'WRONG_PASSWORD', fields, requestId: 'r' }, 400);
    }
    return new Response('PK', {
      headers: {
        'content-type': 'application/zip',
        'content-disposition': 'attachment; filename="challan-desk-2026-11-23.zip"',
      },
    });
  }
  if (path === '/subadmins/profile/history') {
    return reply(contract.history.listProfile, paged(desk.history, contract.history.listProfile.query.parse(query)));
  }
  if (path !== '/subadmins/profile') return failure(404, 'NOT_FOUND', `Nothing answers ${method} ${path}`);
  if (method === 'GET') return reply(contract.profile.get, { message: 'Profile fetched', data: desk.profile });
  const { version, ...input } = contract.profile.update.body.parse(body);
  if (version !== undefined && version !== desk.profile.version) {
    const message = 'This profile was changed by someone else';
    return json({ success: false, message, code: 'VERSION_CONFLICT', data: desk.profile, requestId: 'r' }, 409);
  }
  desk.profile = { ...desk.profile, ...input, version: desk.profile.version + 1 };
  return reply(contract.profile.update, { message: 'Profile updated successfully', data: desk.profile });
}

export function makeProfileDesk(
  profile: Partial<Profile> = {},
  sessions: OpenSession[] = [buildOpenSession(1), buildOpenSession(2)],
): ProfileDesk {
  const desk: ProfileDesk = Object.assign(makeStage([]), {
    profile: buildProfile(profile),
    sessions,
    history: [],
    password: 'old password',
  });
  desk.serve(/^\/(subadmins|sessions)(\/|$)/, (asked) => answerOf(desk, asked));
  return desk;
}

export const openProfile = (waitFor = 'main dl') => openApp('/profile', waitFor);

/** 'GST Number' → what stands beside it. */
export const fact = (name: string): string | undefined =>
  [...document.querySelectorAll('main dt')].find((item) => item.textContent === name)?.nextElementSibling
    ?.textContent ?? undefined;
/** A password field is no textbox to a screen reader. */
export const passwordField = (label: string) =>
  page
    .getByRole('dialog')
    .getByLabelText(new RegExp(`^${label}`))
    .first();
