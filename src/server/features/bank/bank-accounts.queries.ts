import type { BankAccount } from '../../../shared/contract/bank-accounts.ts';
import { contains, containsNumber, recordTable, type Stored } from '../master-data/records.queries.ts';

type Field = Exclude<keyof BankAccount, keyof Stored>;

export const bankAccountTable = recordTable<BankAccount, Field, 'name', 'bank-account'>({
  record: 'bank-account',
  fields: ['name', 'accountNo', 'ifsc', 'layout', 'clientCode', 'fileLimit', 'rtgsFloor', 'impsCeiling'],
  matches: (term) =>
    `${contains('r.name', term)} OR ${containsNumber('r.account_no', term)} OR ${containsNumber('r.ifsc', term)}`,
  sorts: { name: 'lower(r.name)' },
  defaultSort: 'name',
});
