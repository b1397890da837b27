import { accounting } from './accounting.ts';
import { activity } from './activity.ts';
import { bankAccounts } from './bank-accounts.ts';
import { bankFiles } from './bank-files.ts';
import { bankLayouts } from './bank-layouts.ts';
import { bankAnswers } from './bank-answers.ts';
import { bankStatement } from './bank-statement.ts';
import { batches } from './batches.ts';
import { challanGroups } from './challan-groups.ts';
import { challanSheet } from './challan-sheet.ts';
import { challans } from './challans.ts';
import { dashboard } from './dashboard.ts';
import { declarations } from './declarations.ts';
import { health } from './health.ts';
import { history } from './history.ts';
import { exceptions } from './exceptions.ts';
import { hsdVerification } from './hsd-verification.ts';
import { imports } from './imports.ts';
import { monthPacks } from './month-packs.ts';
import { ownerStatements } from './owner-statements.ts';
import { owners } from './owners.ts';
import { palette } from './palette.ts';
import { paymentBatches } from './payment-batches.ts';
import { people } from './people.ts';
import { periodLockActs } from './period-lock-acts.ts';
import { periodLock } from './period-lock.ts';
import { waiting } from './waiting.ts';
import { preparedPayments } from './prepared-payments.ts';
import { petrolPumps } from './petrol-pumps.ts';
import { profile } from './profile.ts';
import { secondStep } from './second-step.ts';
import { session } from './session.ts';
import { preferences } from './preferences.ts';
import { settings } from './settings.ts';
import { sharedReports } from './shared-reports.ts';
import { subadmins } from './subadmins.ts';
import { tables } from './tables.ts';
import { tags } from './tags.ts';
import { tally } from './tally.ts';
import { tds } from './tds.ts';
import { tdsDeposits } from './tds-deposits.ts';
import { today } from './today.ts';
import { trucks } from './trucks.ts';

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
