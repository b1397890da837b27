import { z } from 'zod';
import { endpoint } from './define.ts';
import { day, email, instant, message, password, passwordTooShort, text, trueOrFalse, version } from './scalars.ts';
import { seats, type Seat } from './seats.ts';
import { subadminLogin } from './session.ts';

/** A business has at most so many people; those that are switched off count as well. */
export const MOST_PEOPLE = 50;
/** How long the link of an invitation, and one that sets a new password, can be used. */
export const LINK_HOURS = 48;
/** How many days an auditor may read when the invitation does not say. */
export const AUDITOR_DAYS = 90;

/** What each seat is for, in the words of the form that gives it. */
export const seatTexts: Readonly<Record<Seat, string>> = {
  owner: 'May do everything, and adds people.',
  accountant: 'Records, pays, and sends files to the bank.',
  clerk: 'Records challans and master data. Sees the last four digits of accounts and PANs, and does not pay.',
  auditor: 'Reads everything and changes nothing, until a day.',
};

const seat = z.enum(seats, { error: 'Please choose a seat' });
const personName = text(100, { required: 'Please enter a name' });

export const person = z.object({
  id: z.string(),
  /** '' until the person has joined, and for the login of the business while it has none. */
  name: z.string(),
  email: z.string(),
  seat,
  /** The login that the admin made. It keeps the seat of an owner. */
  isBusiness: z.boolean(),
  isActive: z.boolean(),
  /** The last day of an auditor; null for everybody else. */
  endsOn: z.string().nullable(),
  /** When the person first set a password; null: invited. */
  joinedAt: instant.nullable(),
  /** The last use of an open session, or the last sign-in; null: never. */
  lastSeenAt: instant.nullable(),
  /** How many sessions are open. */
  devices: z.number(),
  hasSecondStep: z.boolean(),
  /** Who invited the person; '' for the login of the business. */
  addedBy: z.string(),
  /** Until when a link can be used; null: there is none. */
  linkExpiresAt: instant.nullable(),
  version: z.number(),
});
export type Person = z.output<typeof person>;

const endsOn = day.nullable().optional();
/** The form of an invitation. `endsOn` is of an auditor alone; absent: 90 days. */
export const personInvite = z.strictObject({
  email: email('Please enter the email of the person', 'Please enter a valid email'),
  seat,
  endsOn,
});
const personChange = z.strictObject({
  seat: seat.optional(),
  endsOn,
  isActive: trueOrFalse.optional(),
  version: version.optional(),
});
/** What a person sets with the link. */
export const joinInput = z.strictObject({
  token: text(100, { required: 'Please open the link again' }),
  name: personName,
  password: password('Please enter a password', passwordTooShort),
});
export const ownName = z.strictObject({ name: personName });
/** The seats as which an owner can look. */
export const viewSeat = z.enum(seats).exclude(['owner']);

const one = z.object({ data: person });
/** The token of the link, which is shown once: the server keeps its hash. */
const withLink = one.extend({ linkToken: z.string() });
/** Who may release what somebody has prepared, and under which name it stands. */
const touchesReleases = ['people', 'prepared-payments'] as const;

export const people = {
  list: endpoint('people', 'GET /people', {
    summary: 'List the people of the business: its own login first, then by name',
    answer: z.object({ data: z.array(person), meta: z.object({ demandsSecondStep: z.boolean() }) }),
  }),
  listNames: endpoint('people', 'GET /people/names', {
    summary: 'List who can have done something in the business, by name',
    right: 'read',
    answer: z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) }),
  }),
  invite: endpoint('people', 'POST /people', {
    summary: 'Invite somebody into a seat; the answer has the token of the link',
    body: personInvite,
    answer: withLink,
    status: 201,
    errors: ['EMAIL_IN_USE'],
  }),
  update: endpoint('people', 'PUT /people/{id}', {
    summary: 'Change the seat, the last day, or whether the person may sign in; a change ends the sessions',
    body: personChange,
    answer: one,
    touches: touchesReleases,
  }),
  newLink: endpoint('people', 'POST /people/{id}/link', {
    summary: 'Make a new link for a person, who sets a new password with it; an earlier link ends',
    answer: withLink,
    touches: touchesReleases,
  }),
  endSessions: endpoint('people', 'POST /people/{id}/end-sessions', {
    summary: 'Sign a person out everywhere',
    answer: message,
  }),
  resetSecondStep: endpoint('people', 'POST /people/{id}/reset-second-step', {
    summary: 'Take the second step away from a person whose phone is lost; nothing else changes',
    answer: message,
  }),
  demandSecondStep: endpoint('people', 'PUT /people/second-step', {
    summary: 'Demand a second step of the seats that pay, or not; who lacks it sets it up before anything else',
    body: z.strictObject({ isDemanded: trueOrFalse }),
    answer: message,
    touches: ['people', 'second-step'],
  }),
  setOwnName: endpoint('people', 'PUT /people/own-name', {
    summary: "Set the caller's own name",
    right: 'self',
    body: ownName,
    answer: message,
    // Lists say who did something.
    touches: [
      'accounting',
      'period-lock',
      'people',
      'profile',
      'payment-batches',
      'prepared-payments',
      'bank-files',
      'bank-answers',
      'batches',
      'hsd-verification',
      'owner-statements',
      'shared-reports',
    ],
  }),
  viewAs: endpoint('people', 'POST /people/view-as', {
    summary: 'Look at the product as another seat, for 15 minutes and without changing anything',
    body: z.strictObject({ seat: viewSeat }),
    touches: [],
    answer: message.extend({ data: z.object({ until: instant }) }),
  }),
  endViewAs: endpoint('people', 'POST /people/view-as/end', {
    summary: 'Stop looking as another seat',
    right: 'self',
    answer: message,
  }),
  readLink: endpoint('people', 'POST /people/links', {
    summary: 'Read what a link is for',
    roles: 'public',
    body: joinInput.pick({ token: true }),
    answer: z.object({
      data: z.object({ business: z.string(), email: z.string(), name: z.string(), seat, isNew: z.boolean() }),
    }),
    errors: ['NOT_FOUND'],
  }),
  join: endpoint('people', 'POST /people/join', {
    summary: 'Set name and password with a link, which is used up, and sign in',
    roles: 'public',
    body: joinInput,
    answer: subadminLogin,
    errors: ['NOT_FOUND', 'SECOND_STEP_WANTED'],
  }),
};
