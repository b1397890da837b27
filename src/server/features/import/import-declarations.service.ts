import { formatDate } from '../../../shared/calc/dates.ts';
import { declaredYear, usualLastDay } from '../../../shared/calc/declaration.ts';
import type { Declaration } from '../../../shared/contract/declarations.ts';
import type { KindRules, Values } from './import-plan.service.ts';

/** How a row finds its declaration, and how its values are shown. */
export const declarationRules = (ownerNames: ReadonlyMap<string, string>): KindRules<Declaration> => ({
  keysOf: ({ ownerName = '', receivedOn = '', validUntil = '', withdrawnOn = '' }) => [
    { by: 'owner and day', key: `day ${ownerName} ${receivedOn}` },
    {
      by: 'owner and financial year',
      key: withdrawnOn === '' ? `year ${ownerName} ${declaredYear(String(validUntil || receivedOn))}` : '',
    },
  ],
  valuesOf: ({ ownerId, receivedOn, carriages, panNo, validUntil, withdrawnOn, note }) => ({
    ownerName: ownerId,
    receivedOn,
    carriages,
    panNo,
    validUntil,
    withdrawnOn: withdrawnOn ?? '',
    note,
  }),
  nameOf: ({ ownerName = '', receivedOn = '' }) =>
    `${ownerNames.get(String(ownerName)) ?? ''}, ${formatDate(String(receivedOn))}`,
  onlyOnce: { noun: 'Declaration', field: 'receivedOn' },
  shown: (field, value) => {
    if (field === 'ownerName') return ownerNames.get(String(value)) ?? '';
    return /^(receivedOn|validUntil|withdrawnOn)$/.test(field) ? formatDate(String(value)) : String(value);
  },
});

/** The days of a declaration as they would be stored: those of the row, else the stored ones. */
export function wholeDeclaration(given: Values, stored: Declaration | null) {
  const receivedOn = String(given['receivedOn']);
  return {
    receivedOn,
    validUntil: String(given['validUntil'] ?? stored?.validUntil ?? usualLastDay(receivedOn)),
    withdrawnOn: given['withdrawnOn'] === undefined ? (stored?.withdrawnOn ?? null) : String(given['withdrawnOn']),
  };
}
