import { accounting } from './accounting.ts';
import { activity } from './activity.ts';
import { bankAccountFields, bankAccounts } from './bank-accounts.ts';
import type { HistoryRecord } from './nouns.ts';
import type { RecordField } from './fields.ts';
import { bankFiles } from './bank-files.ts';
import { bankLayouts } from './bank-layouts.ts';
import { bankAnswers } from './bank-answers.ts';
import { bankStatement } from './bank-statement.ts';
import { batches } from './batches.ts';
import { challanGroups } from './challan-groups.ts';
import { challanSheet } from './challan-sheet.ts';
import { challans } from './challans.ts';
import { dashboard } from './dashboard.ts';
import { declarationFields, declarations } from './declarations.ts';
import { health } from './health.ts';
import { history } from './history.ts';
import { exceptions } from './exceptions.ts';
import { hsdVerification } from './hsd-verification.ts';
import { imports } from './imports.ts';
import { monthPacks } from './month-packs.ts';
import { ownerStatements } from './owner-statements.ts';
import { ownerFields, owners } from './owners.ts';
import { palette } from './palette.ts';
import { paymentBatches } from './payment-batches.ts';
import { people } from './people.ts';
import { periodLockActs } from './period-lock-acts.ts';
import { periodLock } from './period-lock.ts';
import { waiting } from './waiting.ts';
import { preparedPayments } from './prepared-payments.ts';
import { petrolPumpFields, petrolPumps } from './petrol-pumps.ts';
import { profile } from './profile.ts';
import { secondStep } from './second-step.ts';
import { session } from './session.ts';
import { preferences } from './preferences.ts';
import { settings } from './settings.ts';
import { sharedReports } from './shared-reports.ts';
import { subadminFields, subadmins } from './subadmins.ts';
import { tables } from './tables.ts';
import { tagFields, tags } from './tags.ts';
import { tally } from './tally.ts';
import { tds } from './tds.ts';
import { tdsDepositFields, tdsDeposits } from './tds-deposits.ts';
import { today } from './today.ts';
import { truckFields, trucks } from './trucks.ts';

/** Every call of the API, by resource and verb. */
export const contract = {
  session,
  subadmins,
  profile,
  people,
  secondStep,
  owners,
  trucks,
  tags,
  petrolPumps,
  challans: { ...challans, ...challanSheet },
  challanGroups,
  bankStatement,
  paymentBatches,
  preparedPayments,
  waiting,
  bankAccounts,
  bankLayouts,
  bankFiles,
  bankAnswers,
  batches,
  hsdVerification,
  accounting,
  ownerStatements,
  periodLock: { ...periodLock, ...periodLockActs },
  tds,
  tdsDeposits,
  tally,
  monthPacks,
  declarations,
  exceptions,
  dashboard,
  today,
  sharedReports,
  history,
  activity,
  health,
  settings,
  preferences,
  tables,
  imports,
  palette,
};
export type Contract = typeof contract;

/** The fields that people enter in each record with a history. A challan has its own table (challan-fields.ts). */
export const recordFields = {
  owner: ownerFields,
  truck: truckFields,
  tag: tagFields,
  'petrol-pump': petrolPumpFields,
  'bank-account': bankAccountFields,
  declaration: declarationFields,
  'tds-deposit': tdsDepositFields,
  subadmin: subadminFields,
} satisfies Readonly<Record<Exclude<HistoryRecord, 'challan'>, Readonly<Record<string, RecordField>>>>;
