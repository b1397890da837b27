import { randomUUID } from 'node:crypto';
import { formatCount } from '../../../shared/calc/count-text.ts';
import {
  ledgerUses,
  mostTallyChallans,
  type TallyExport,
  type TallySettings,
  type TallySettingsChange,
  type TallyWanted,
} from '../../../shared/contract/tally.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import type { TableFile } from '../../files/table-file.ts';
import { invalidReference, notFound, Refusal, versionConflict } from '../../refusal.ts';
import { takeTurns } from '../../sql/conflicts.ts';
import { takeTallyExportNumber } from '../../sql/counters.ts';
import { bankAccountTable } from '../bank/bank-accounts.queries.ts';
import { changesBetween, insertHistory } from '../history/history.queries.ts';
import { tallyMastersFile, tallyVouchersFile } from './tally.file.ts';
import {
  allowSlowStatements,
  assignTallyVouchers,
  countTallyChallans,
  insertTallyExport,
  insertTallyVouchers,
  replaceTallyMasters,
  saveTallySettings,
  selectTallyExport,
  selectTallySettings,
  tallyLedgers,
  tallyVouchers,
} from './tally.queries.ts';

/** Files for Tally (docs/specification.md §31). */

/** Saves the settings and records the change in the history of the business's account. */
export async function updateTallySettings(
  db: TenantDb,
  caller: Caller,
  change: TallySettingsChange,
): Promise<TallySettings> {
  await takeTurns(db, 'tally');
  const before = await selectTallySettings(db);
  const isCurrent = before.version === change.version;
  if (isCurrent) {
    const known = await Promise.all(change.accounts.map(({ id }) => bankAccountTable.get(db, id)));
    if (known.includes(null)) throw invalidReference('accounts', 'bank account');
  }
  if (!isCurrent || !(await saveTallySettings(db, change)))
    throw versionConflict('page of Tally settings', await selectTallySettings(db));
  if (change.masters) await replaceTallyMasters(db, change.masters);
  const after = await selectTallySettings(db);
  const changes = changesBetween(toHistoryValues(before), toHistoryValues(after), historyFieldNames);
  if (Object.keys(changes).length > 0)
    await insertHistory(db, caller, {
      entity: 'subadmin',
      entityId: db.tenantId,
      action: 'Tally settings changed',
      changes,
    });
  return after;
}

/** Returns the settings under the field names of the history (`historyFields`). */
const toHistoryValues = ({ ledgers, accounts, grouping, masterCount }: TallySettings) => ({
  tallyLedgers: ledgerUses.map((use) => ledgers[use]).join(' · '),
  tallyAccounts: accounts.map(({ ledger }) => ledger).join(' · '),
  tallyGrouping: grouping === 'day' ? 'By owner and day' : 'By challan',
  tallyMasters: `${formatCount(masterCount)} ledgers`,
});
const historyFieldNames = ['tallyLedgers', 'tallyAccounts', 'tallyGrouping', 'tallyMasters'] as const;

/**
 * Makes a file, and remembers what it says of each challan and transfer. Two files of a business are made one after the other, so
 * that none goes out twice or not at all.
 */
export async function createTallyExport(
  db: TenantDb,
  caller: Caller,
  wanted: TallyWanted,
  most: number = mostTallyChallans,
): Promise<TallyExport> {
  await takeTurns(db, 'tally');
  await allowSlowStatements(db);
  const settings = await selectTallySettings(db);
  const id = randomUUID();
  if (wanted.kind === 'period') refuseTooMany(await countTallyChallans(db, wanted), most);
  const count = await assignTallyVouchers(db, id, settings.grouping, wanted);
  refuseTooMany(count, most);
  await insertTallyVouchers(db, id, settings);
  const number = await takeTallyExportNumber(db);
  const { grouping } = settings;
  if (!(await insertTallyExport(db, caller, { id, number, grouping, wanted })))
    throw new Refusal(
      'INVALID_REQUEST',
      wanted.kind === 'period'
        ? 'There are no challans and no payments in these days.'
        : 'Nothing has changed since it was exported.',
    );
  // Safe: it was just written.
  return (await selectTallyExport(db, id))!;
}

/** More could not be made within the time of a call. */
function refuseTooMany(count: number, most: number): void {
  if (count > most)
    throw new Refusal(
      'INVALID_REQUEST',
      `A file takes at most ${formatCount(most)} challans, and these are ${formatCount(count)}. Make files of shorter periods.`,
    );
}

async function getTallyExport(db: TenantDb, id: string): Promise<TallyExport> {
  const file = await selectTallyExport(db, id);
  if (!file) throw notFound('Tally file');
  return file;
}

export async function tallyExportFile(db: TenantDb, id: string): Promise<TableFile> {
  return tallyVouchersFile(await getTallyExport(db, id), () => tallyVouchers(db, id));
}

export async function tallyMasters(db: TenantDb): Promise<TableFile> {
  const settings = await selectTallySettings(db);
  return tallyMastersFile(settings.ledgers.ownersGroup, () => tallyLedgers(db, settings));
}
