import { afterEach, describe, expect, test, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import type { Person } from '../../../src/shared/contract/people.ts';
import { AUDITOR_DAYS } from '../../../src/shared/contract/people.ts';
import { addDays } from '../../../src/shared/calc/dates.ts';
import { getSession } from '../../../src/web/kit/api/session-store.ts';
import { today } from '../../../src/web/kit/forms/day-field.tsx';
import { choose } from '../choose.ts';
import { idOf } from '../support/builders.ts';
import { refusal, speechless } from '../support/fake-server.ts';
import { find, paged } from '../support/kept.ts';
import { fakeServer } from '../support/records.ts';
import {
  button,
  cellText,
  closeApp,
  dialog,
  field,
  goToCell,
  openApp,
  openAs,
  page,
  press,
  question,
  saveKeys,
  shownRows,
  toasts,
  userEvent,
} from '../support/screen.tsx';

afterEach(async () => {
  await closeApp();
});

const address = '/profile/people';
const buildPerson = (n: number, over: Partial<Person> = {}): Person => ({
  id: idOf(n),
  name: `Person ${n}`,
  email: `person${n}@b.in`,
  seat: 'clerk',
  isBusiness: false,
  isActive: true,
  endsOn: null,
  joinedAt: '2026-11-20T05:30:00.000Z',
  lastSeenAt: '2026-11-21T05:30:00.000Z',
  devices: 1,
  hasSecondStep: false,
  addedBy: 'a@b.in',
  linkExpiresAt: null,
  version: 1,
  ...over,
});
const business = buildPerson(1, { name: '', email: 'a@b.in', seat: 'owner', isBusiness: true, addedBy: '' });

function stageOf(...others: Person[]) {
  const people = [business, ...others];
  const stage = fakeServer();
  const { people: calls } = contract;
  stage.serve(calls.list, () => ({ data: people, meta: { demandsSecondStep: false } }));
  stage.serve(calls.invite, ({ body }) => {
    const made = buildPerson(9, { ...body, name: '', joinedAt: null, linkExpiresAt: '2026-11-23T05:30:00.000Z' });
    people.push(made);
    return { data: made, linkToken: 'token-of-the-link' };
  });
  stage.serve(calls.update, ({ params, body: { version: _version, ...change } }) => {
    const person = find('Person', people, params.id);
    return { data: Object.assign(person, change, { version: person.version + 1 }) };
  });
  stage.serve(calls.newLink, ({ params }) => ({
    data: find('Person', people, params.id),
    linkToken: 'token-of-another',
  }));
  stage.serve(calls.endSessions, () => ({ message: 'Signed out everywhere' }));
  stage.serve(calls.viewAs, () => ({ message: '', data: { until: new Date(Date.now() + 900_000).toISOString() } }));
  stage.serve(calls.endViewAs, () => ({ message: '' }));
  stage.serveRest();
  return stage;
}

describe('the list of people', () => {
  test('has the state of each in words, and nothing that changes the login of the business', async () => {
    stageOf(
      buildPerson(2, { isActive: false }),
      buildPerson(3, { name: '', joinedAt: null, linkExpiresAt: '2026-11-23T05:30:00.000Z', lastSeenAt: null }),
      buildPerson(4, { name: '', joinedAt: null }),
      buildPerson(5, { seat: 'auditor', endsOn: '2027-02-26' }),
    );
    await openApp(address);
    expect(shownRows().map((n) => cellText(Number(n), 'state'))).toEqual([
      'Active',
      'Switched off',
      'Invited until 23/11/2026 11:00',
      'Invitation has ended',
      'Until 26/02/2027',
    ]);
    expect([cellText(1, 'name'), cellText(1, 'seat'), cellText(5, 'seat')]).toEqual([
      'Login of the business',
      'Owner',
      'Auditor',
    ]);
    expect(cellText(3, 'lastSeenAt')).toBe('Never');
    await goToCell(1, 'email');
    await press('a');
    await vi.waitFor(() =>
      expect(toasts()).toEqual(['The login of the business stays an owner. The admin can reset its password.']),
    );
  });

  test('can be loaded again after a failure', async () => {
    const stage = stageOf();
    stage.once(contract.people.list, speechless);
    await openApp(address, '[role="alert"], .cd-grid');
    await expect.element(page.getByText('Failed to fetch the people').first()).toBeVisible();
    await userEvent.click(button('Retry').first());
    await vi.waitFor(() => expect(shownRows()).toEqual(['1']));
  });
});

describe('an invitation', () => {
  test('sends email and seat, shows the link once, and copies it', async () => {
    const stage = stageOf();
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    await openApp(address);
    await press('n');
    await expect.element(dialog('Invite a Person')).toBeVisible();
    await press('ravi@b.in');
    await saveKeys();
    await expect.element(dialog('Link for ravi@b.in')).toBeVisible();
    expect(stage.writes(contract.people.invite)).toEqual([{ email: 'ravi@b.in', seat: 'clerk' }]);
    const link = `${location.origin}/join#token-of-the-link`;
    await expect.element(field('Link')).toHaveValue(link);
    await press('{Enter}');
    await vi.waitFor(() => expect(copied).toHaveBeenCalledWith(link));
    await press('{Escape}');
    await vi.waitFor(() => expect(document.body.textContent).not.toContain('token-of-the-link'));
    await vi.waitFor(() => expect(cellText(9, 'state')).toBe('Invited until 23/11/2026 11:00'));
  });

  test('gives an auditor a last day, 90 days ahead', async () => {
    const stage = stageOf();
    await openApp(address);
    await press('n');
    await press('audit@b.in');
    await choose(page.getByRole('combobox', { name: 'Seat' }), 'Auditor');
    await expect.element(page.getByText('Reads everything and changes nothing, until a day.')).toBeVisible();
    await saveKeys();
    await expect.element(dialog('Link for audit@b.in')).toBeVisible();
    expect(stage.writes(contract.people.invite)).toEqual([
      { email: 'audit@b.in', seat: 'auditor', endsOn: addDays(today(), AUDITOR_DAYS) },
    ]);
  });

  test('says at the field that an email is taken', async () => {
    const stage = stageOf();
    const text = 'This email is already in use';
    stage.once(contract.people.invite, () => refusal('EMAIL_IN_USE', text, { fields: { email: text } }));
    await openApp(address);
    await press('n');
    await press('ravi@b.in');
    await saveKeys();
    await expect.element(field('Email')).toHaveAccessibleDescription(text);
  });
});

describe('one person', () => {
  test('gets another seat by E, with the version that was seen', async () => {
    const stage = stageOf(buildPerson(2, { version: 7 }));
    await openApp(address);
    await goToCell(2, 'email');
    await press('e');
    await expect.element(dialog('Change Person 2')).toBeVisible();
    await choose(page.getByRole('combobox', { name: 'Seat' }), 'Accountant');
    await saveKeys();
    await vi.waitFor(() => expect(cellText(2, 'seat')).toBe('Accountant'));
    expect(stage.writes(contract.people.update)).toEqual([{ seat: 'accountant', version: 7 }]);
  });

  test('is switched off, signed out and given a new link, each after a question', async () => {
    const stage = stageOf(buildPerson(2));
    await openApp(address);
    await goToCell(2, 'email');
    await press('o');
    expect(question()).toContain('Sign Person 2 out everywhere?');
    await saveKeys();
    await vi.waitFor(() => expect(stage.calls(contract.people.endSessions)).toHaveLength(1));
    await goToCell(2, 'email');
    await press('l');
    await vi.waitFor(() => expect(question()).toContain('Make a new link for Person 2?'));
    await saveKeys();
    await expect.element(field('Link')).toHaveValue(`${location.origin}/join#token-of-another`);
    await press('{Escape}');
    await goToCell(2, 'email');
    await press('a');
    await vi.waitFor(() => expect(question()).toContain('Switch Person 2 off?'));
    await saveKeys();
    await vi.waitFor(() => expect(cellText(2, 'state')).toBe('Switched off'));
    expect(stage.writes(contract.people.update)).toEqual([{ isActive: false, version: 1 }]);
  });
});

describe('looking as another seat', () => {
  test('shows a banner on every screen, and ends', async () => {
    const stage = stageOf();
    await openApp(address);
    await userEvent.click(button('Look as …'));
    await userEvent.click(page.getByRole('menuitem', { name: 'Look as Clerk' }));
    await expect
      .element(page.getByText(/^You are looking as Clerk until \d\d:\d\d\. Nothing can be changed\.$/))
      .toBeVisible();
    expect(stage.writes(contract.people.viewAs)).toEqual([{ seat: 'clerk' }]);
    expect(getSession()?.user.view?.seat).toBe('clerk');
    expect(window.location.pathname).toBe('/dashboard');
    expect(page.getByRole('link', { name: 'TDS Register' }).elements()).toEqual([]);
    await userEvent.click(button('End'));
    await vi.waitFor(() => expect(getSession()?.user.view).toBeUndefined());
    expect(document.body.textContent).not.toContain('You are looking as');
    await expect.element(page.getByRole('link', { name: 'TDS Register' })).toBeVisible();
  });

  test('ends by itself when its time is over', async () => {
    stageOf();
    const until = new Date(Date.now() + 1_500).toISOString();
    await openApp('/tags', 'main h1', 'subadmin', 450, undefined, { view: { seat: 'auditor', until } });
    await expect.element(page.getByText(/You are looking as/)).toBeVisible();
    await vi.waitFor(() => expect(getSession()?.user.view).toBeUndefined());
    await vi.waitFor(() => expect(document.body.textContent).not.toContain('You are looking as'));
  });
});

describe('the page of a link', () => {
  const link = { business: 'Maa Tarini', email: 'ravi@b.in', name: '', seat: 'clerk' as const, isNew: true };
  const form = 'form';
  const openLink = (waitFor: string) => openApp('/join#token-of-the-link', waitFor);

  test('takes the token out of the address, sets name and password, and signs in', async () => {
    const stage = stageOf();
    stage.serve(contract.people.readLink, () => ({ data: link }));
    stage.serve(contract.people.join, ({ body }) => ({
      token: 'token-of-the-person',
      bannerName: 'Maa Tarini',
      user: {
        id: 'ravi@b.in',
        email: 'ravi@b.in',
        bannerName: 'Maa Tarini',
        role: 'subadmin' as const,
        name: body.name,
        seat: 'clerk' as const,
      },
    }));
    await openLink('[role="status"]');
    // Somebody else is signed in here.
    await expect.element(page.getByText('You are signed in as a@b.in')).toBeVisible();
    expect(window.location.hash).toBe('');
    expect(stage.writes(contract.people.readLink)).toEqual([{ token: 'token-of-the-link' }]);
    expect(document.querySelector(form)).toBeNull();
    await userEvent.click(button('Sign out and continue'));
    await expect.element(field('Your Name')).toHaveFocus();
    expect(getSession()).toBeNull();
    await press('Ravi Kumar{Tab}short{Enter}');
    await expect.element(page.getByText(/at least 6/i).first()).toBeVisible();
    expect(stage.calls(contract.people.join)).toEqual([]);
    await userEvent.fill(page.getByLabelText(/^Password/).first(), 'seventeen trucks');
    await press('{Enter}');
    await vi.waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
    expect(stage.writes(contract.people.join)).toEqual([
      { token: 'token-of-the-link', name: 'Ravi Kumar', password: 'seventeen trucks' },
    ]);
    expect(getSession()?.user).toMatchObject({ email: 'ravi@b.in', name: 'Ravi Kumar', seat: 'clerk' });
    await expect.element(page.getByText('Ravi Kumar · Clerk')).toBeVisible();
  });

  test('of a link that has ended there is the sentence and no form', async () => {
    const stage = stageOf();
    const text = 'This link is not valid, or is not valid any more. Please ask the sender for a new one.';
    stage.serve(contract.people.readLink, () => refusal('NOT_FOUND', text));
    await openLink('[role="alert"]');
    await expect.element(page.getByText(text)).toBeVisible();
    expect(document.querySelector(form)).toBeNull();
    expect(button('Retry').elements()).toEqual([]);
  });
});

test('the own name is set in the profile of a person, and shown at once', async () => {
  const stage = stageOf();
  stage.serve(contract.people.setOwnName, () => ({ message: 'Name saved' }));
  await openAs('accountant', '/profile', 'main dl');
  expect(page.getByRole('link', { name: 'People' }).elements()).toEqual([]);
  await userEvent.click(button('Your Name'));
  await userEvent.fill(field('Name'), 'Ravi Das');
  await saveKeys();
  await expect.element(page.getByText('Ravi Das · Accountant')).toBeVisible();
  expect(stage.writes(contract.people.setOwnName)).toEqual([{ name: 'Ravi Das' }]);
});

describe('the activity', () => {
  const row = {
    id: idOf(1),
    day: '2026-11-20',
    personId: idOf(2),
    person: 'Ravi Behera',
    settings: 1,
    recorded: 3,
    changed: 1,
    deleted: 0,
    masterData: 2,
    paid: 2,
    paidAmount: '39102.00',
    takenBack: 0,
    takenBackAmount: '0.00',
  };
  const entry = {
    at: '2026-11-20T05:30:00.000Z',
    actor: 'Ravi Behera',
    screen: 'Challans',
    reason: '',
    payment: null,
    changes: [],
    record: null,
  };

  test('is a line for each person and day; Enter shows what was done, with links to the records', async () => {
    const stage = stageOf(buildPerson(2, { name: 'Ravi Behera' }));
    const asked: unknown[] = [];
    stage.serve(contract.people.listNames, () => ({
      data: [
        { id: idOf(1), name: 'a@b.in' },
        { id: idOf(2), name: 'Ravi Behera' },
      ],
    }));
    stage.serve(contract.activity.list, ({ query }) => {
      asked.push(query.personId);
      return paged([row], query);
    });
    stage.serve(contract.activity.listEntries, ({ query }) =>
      paged(
        [
          { ...entry, id: 'a', action: 'Invited mina@b.in as Clerk' },
          {
            ...entry,
            id: 'b',
            action: 'Edited',
            record: { noun: 'petrol-pump' as const, id: idOf(7), name: 'Tarini Fuels' },
          },
        ],
        query,
      ),
    );
    await openApp('/profile/activity');
    await vi.waitFor(() => expect(shownRows()).toEqual(['1']));
    expect(['day', 'person', 'recorded', 'paidAmount'].map((column) => cellText(1, column))).toEqual([
      '20/11/2026',
      'Ravi Behera',
      '3',
      '₹39,102.00',
    ]);
    await expect.element(page.getByText('Last 31 days')).toBeVisible();
    await goToCell(1, 'person');
    await press('{Enter}');
    const shown = dialog('Ravi Behera on 20/11/2026');
    await expect.element(shown.getByText('Invited mina@b.in as Clerk')).toBeVisible();
    await expect
      .element(shown.getByRole('link', { name: 'Tarini Fuels' }))
      .toHaveAttribute('href', `/petrol-pumps?open=${idOf(7)}`);
    await press('{Escape}');
    await choose(page.getByRole('combobox', { name: 'By' }), 'Ravi Behera');
    await expect.poll(() => asked.at(-1)).toBe(idOf(2));
  });
});
