import type { BankAccount } from '../../shared/contract/bank-accounts.ts';
import { contains, containsNumber, nameRank, recordTable } from './records.ts';

export const bankAccountTable = recordTable<
  BankAccount,
  'name' | 'accountNo' | 'ifsc' | 'layout' | 'clientCode' | 'fileLimit' | 'rtgsFloor' | 'impsCeiling',
  'name',
  'bank-account'
>({
  record: 'bank-account',
  fields: ['name', 'accountNo', 'ifsc', 'layout', 'clientCode', 'fileLimit', 'rtgsFloor', 'impsCeiling'],
  matches: (term) =>
    `${contains('r.name', term)} OR ${containsNumber('r.account_no', term)} OR ${containsNumber('r.ifsc', term)}`,
  rank: (term) => nameRank('r.name', term),
  sorts: { name: 'lower(r.name)' },
  usualSort: 'name',
});
