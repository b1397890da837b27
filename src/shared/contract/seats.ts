/**
 * Who may do what inside a business (docs/specification.md §28). A business has the login that the admin made, which has the
 * seat of an owner, and the people whom it has invited.
 */
export const seats = ['owner', 'accountant', 'clerk', 'auditor'] as const;
export type Seat = (typeof seats)[number];

export const seatNames: Readonly<Record<Seat, string>> = {
  owner: 'Owner',
  accountant: 'Accountant',
  clerk: 'Clerk',
  auditor: 'Auditor',
};

/** What a call of the API needs. A call without a right of its own has 'read' or 'record' (contract/define.ts). */
export const rights = {
  /** Of one's own sign-in: sessions, password, views. */
  self: { of: seats },
  read: { of: seats },
  /** Accounts, IFSC and PAN in full, and the files that contain them. */
  readBank: {
    of: ['owner', 'accountant', 'auditor'],
    refusal: 'A clerk does not see bank details and PANs in full. Ask an owner or an accountant.',
  },
  record: {
    of: ['owner', 'accountant', 'clerk'],
    refusal: 'An auditor reads and does not change anything. Ask somebody of the business.',
  },
  /** Marks paid or unpaid, puts on hold, carries, deals with the bank, sets what is owed. */
  pay: { of: ['owner', 'accountant'], refusal: 'Only an owner or an accountant may do this. Ask one of them.' },
  manage: { of: ['owner'], refusal: 'Only an owner of the business may do this. Ask one of them.' },
} as const satisfies Record<string, { of: readonly Seat[]; refusal?: string }>;
export type Right = keyof typeof rights;
