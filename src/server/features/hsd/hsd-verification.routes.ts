import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { selectUploads } from './hsd-verification.queries.ts';
import { selectPageOfBill, selectUploadPump } from './hsd-bills.queries.ts';
import { selectHsdLedger } from './hsd-ledger.queries.ts';
import { notFound } from '../../refusal.ts';
import { paginationOf } from '../../sql/paging.ts';
import { acceptHsdRows, getPumpSettings, setTolerance } from './hsd-bills.service.ts';
import { discrepancyPdf, discrepancySheet } from './hsd-discrepancies.service.ts';
import { compareHsdFile, readHsdFile, reviewHsd, verifyHsd } from './hsd-verification.service.ts';

export function hsdVerificationRoutes(implement: Implementer): void {
  const { hsdVerification } = contract;

  implement.upload(hsdVerification.upload, readHsdFile, async ({ db, caller, file, query }) => ({
    data: await compareHsdFile(db, caller, file, query),
  }));

  implement.data(hsdVerification.getPumpSettings, ({ db, params }) => getPumpSettings(db, params.id));

  implement.data(hsdVerification.setPumpSettings, ({ db, caller, params, body }) =>
    setTolerance(db, caller, params.id, body.tolerance),
  );

  implement.tenant(hsdVerification.listUploads, ({ db, query }) => selectUploads(db, query));

  implement.tenant(hsdVerification.listUploadRows, async ({ db, params, query }) => {
    if (!(await selectUploadPump(db, params.id))) throw notFound('Upload');
    return selectPageOfBill(db, params.id, query);
  });

  implement.tenant(hsdVerification.exportDiscrepancies, ({ db, params }) => discrepancySheet(db, params.id));

  implement.tenant(hsdVerification.exportDiscrepanciesPdf, ({ db, params }) => discrepancyPdf(db, params.id));

  implement.tenant(hsdVerification.listLedger, async ({ db, query }) => {
    const { data, count } = await selectHsdLedger(db, query);
    return { data, pagination: paginationOf(query, count) };
  });

  implement.data(hsdVerification.accept, ({ db, caller, body }) => acceptHsdRows(db, caller, body));

  implement.data(hsdVerification.review, ({ db, body }) => reviewHsd(db, body.challanIds));

  implement.data(hsdVerification.verify, ({ db, caller, body }) => verifyHsd(db, caller, body.challanIds));
}
