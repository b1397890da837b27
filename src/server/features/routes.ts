import type { LogHealth } from '../../shared/contract/health.ts';
import type { Directories } from './system/disks.service.ts';
import type { SecretBox } from '../secret-box.ts';
import type { Implementer } from '../http/implement.ts';
import { accountingRoutes } from './accounting/accounting.routes.ts';
import { bankFilesRoutes } from './bank/bank-files.routes.ts';
import { bankAnswersRoutes } from './bank/bank-answers.routes.ts';
import { bankStatementRoutes } from './payments/bank-statement.routes.ts';
import { batchesRoutes } from './batches/batches.routes.ts';
import { challansRoutes } from './challans/challans.routes.ts';
import { dashboardRoutes } from './dashboard/dashboard.routes.ts';
import { exceptionsRoutes } from './exceptions/exceptions.routes.ts';
import { historyRoutes } from './history/history.routes.ts';
import { hsdVerificationRoutes } from './hsd/hsd-verification.routes.ts';
import { importsRoutes } from './import/imports.routes.ts';
import { monthPacksRoutes } from './accounting/month-packs.routes.ts';
import { ownerStatementsRoutes } from './accounting/owner-statements.routes.ts';
import { ownersRoutes } from './owners/owners.routes.ts';
import { paletteRoutes } from './palette/palette.routes.ts';
import { paymentBatchesRoutes } from './payments/payment-batches.routes.ts';
import { peopleRoutes } from './people/people.routes.ts';
import { periodLockRoutes } from './accounting/period-lock.routes.ts';
import { preferencesRoutes } from './profile/preferences.routes.ts';
import { preparedPaymentsRoutes } from './payments/prepared-payments.routes.ts';
import { profileRoutes } from './profile/profile.routes.ts';
import { recordsRoutes } from './master-data/records.routes.ts';
import { sessionRoutes } from './session/session.routes.ts';
import { settingsRoutes } from './system/settings.routes.ts';
import { sharedReportsRoutes } from './shared-reports/shared-reports.routes.ts';
import { subadminsRoutes } from './subadmins/subadmins.routes.ts';
import { tablesRoutes } from './import/tables.routes.ts';
import { tallyRoutes } from './accounting/tally.routes.ts';
import { tdsRoutes } from './tds/tds.routes.ts';

interface RouteOptions {
  publicUrl: string | undefined;
  secrets: SecretBox;
  log: (() => LogHealth) | undefined;
  directories: Directories | undefined;
}

/** Registers every route of the API. The contract test fails for an endpoint that has no handler here. */
export function registerRoutes(implement: Implementer, { publicUrl, secrets, log, directories }: RouteOptions): void {
  sessionRoutes(implement, secrets);
  accountingRoutes(implement, publicUrl);
  ownerStatementsRoutes(implement);
  periodLockRoutes(implement);
  sharedReportsRoutes(implement);
  bankStatementRoutes(implement);
  paymentBatchesRoutes(implement, publicUrl);
  preparedPaymentsRoutes(implement);
  bankFilesRoutes(implement);
  bankAnswersRoutes(implement);
  batchesRoutes(implement);
  challansRoutes(implement);
  dashboardRoutes(implement);
  exceptionsRoutes(implement);
  historyRoutes(implement);
  hsdVerificationRoutes(implement);
  importsRoutes(implement);
  recordsRoutes(implement);
  ownersRoutes(implement);
  paletteRoutes(implement);
  peopleRoutes(implement);
  profileRoutes(implement);
  settingsRoutes(implement, log, directories);
  preferencesRoutes(implement);
  subadminsRoutes(implement);
  tablesRoutes(implement);
  monthPacksRoutes(implement);
  tallyRoutes(implement);
  tdsRoutes(implement);
}
