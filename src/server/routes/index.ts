import type { LogHealth } from '../../shared/contract/health.ts';
import type { Directories } from '../services/disks.ts';
import type { Implementer } from '../http/implement.ts';
import { accountingRoutes } from './accounting.ts';
import { bankFilesRoutes } from './bank-files.ts';
import { bankAnswersRoutes } from './bank-answers.ts';
import { bankStatementRoutes } from './bank-statement.ts';
import { batchesRoutes } from './batches.ts';
import { challansRoutes } from './challans.ts';
import { dashboardRoutes } from './dashboard.ts';
import { historyRoutes } from './history.ts';
import { hsdVerificationRoutes } from './hsd-verification.ts';
import { importsRoutes } from './imports.ts';
import { ownerStatementsRoutes } from './owner-statements.ts';
import { ownersRoutes } from './owners.ts';
import { paletteRoutes } from './palette.ts';
import { paymentBatchesRoutes } from './payment-batches.ts';
import { preferencesRoutes } from './preferences.ts';
import { profileRoutes } from './profile.ts';
import { recordsRoutes } from './records.ts';
import { sessionRoutes } from './session.ts';
import { settingsRoutes } from './settings.ts';
import { sharedReportsRoutes } from './shared-reports.ts';
import { subadminsRoutes } from './subadmins.ts';
import { tablesRoutes } from './tables.ts';
import { tdsRoutes } from './tds.ts';

interface RouteOptions {
  publicUrl: string | undefined;
  log: (() => LogHealth) | undefined;
  directories: Directories | undefined;
}

/** Registers every route of the API. The contract test fails for an endpoint that has no handler here. */
export function registerRoutes(implement: Implementer, { publicUrl, log, directories }: RouteOptions): void {
  sessionRoutes(implement);
  accountingRoutes(implement, publicUrl);
  ownerStatementsRoutes(implement);
  sharedReportsRoutes(implement);
  bankStatementRoutes(implement);
  paymentBatchesRoutes(implement, publicUrl);
  bankFilesRoutes(implement);
  bankAnswersRoutes(implement);
  batchesRoutes(implement);
  challansRoutes(implement);
  dashboardRoutes(implement);
  historyRoutes(implement);
  hsdVerificationRoutes(implement);
  importsRoutes(implement);
  recordsRoutes(implement);
  ownersRoutes(implement);
  paletteRoutes(implement);
  profileRoutes(implement);
  settingsRoutes(implement, log, directories);
  preferencesRoutes(implement);
  subadminsRoutes(implement);
  tablesRoutes(implement);
  tdsRoutes(implement);
}
