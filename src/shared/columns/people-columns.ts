import { formatDate, formatDateTime } from '../calc/dates.ts';
import type { Person } from '../contract/people.ts';
import { seatNames } from '../contract/seats.ts';
import { activeStatus, type Column, type Status } from './define.ts';

function stateOf({ isActive, joinedAt, linkExpiresAt, endsOn }: Person): Status {
  if (!isActive) return { label: 'Switched off', tone: 'neutral' };
  if (joinedAt === null)
    return linkExpiresAt === null
      ? { label: 'Invitation has ended', tone: 'bad' }
      : { label: `Invited until ${formatDateTime(linkExpiresAt)}`, tone: 'warn' };
  return endsOn === null ? activeStatus(true) : { label: `Until ${formatDate(endsOn)}`, tone: 'good' };
}

/** The people of a business (docs/specification.md §26.3). */
export const peopleColumns: readonly Column<Person>[] = [
  {
    key: 'name',
    label: 'Name',
    kind: 'text',
    width: 200,
    pin: 'left',
    empty: '—',
    value: ({ name, isBusiness }) => (name === '' && isBusiness ? 'Login of the business' : name),
  },
  { key: 'email', label: 'Email', kind: 'text', width: 230, least: 154 },
  { key: 'seat', label: 'Seat', kind: 'text', width: 110, least: 94, value: ({ seat }) => seatNames[seat] },
  { key: 'state', label: 'State', kind: 'status', width: 220, least: 194, value: stateOf },
  { key: 'lastSeenAt', label: 'Last Seen', kind: 'datetime', width: 140, empty: 'Never' },
  { key: 'devices', label: 'Devices', kind: 'count', width: 84 },
  {
    key: 'secondStep',
    label: 'Second Step',
    kind: 'text',
    width: 110,
    empty: '—',
    value: ({ hasSecondStep }) => (hasSecondStep ? 'On' : ''),
  },
  { key: 'addedBy', label: 'Added By', kind: 'text', width: 180, empty: '—' },
];
