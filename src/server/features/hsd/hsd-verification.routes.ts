import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { countUploads, selectUploads } from './hsd-verification.queries.ts';
import { countBillRows, selectPageOfBill, selectUploadPump } from './hsd-bills.queries.ts';
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

  implement.tenant(hsdVerification.getPumpSettings, async ({ db, params }) => ({
    data: await getPumpSettings(db, params.id),
  }));

  implement.tenant(hsdVerification.setPumpSettings, async ({ db, caller, params, body }) => ({
    data: await setTolerance(db, caller, params.id, body.tolerance),
  }));

  implement.tenant(hsdVerification.listUploads, async ({ db, query }) => {
    const [data, count] = await Promise.all([selectUploads(db, query), countUploads(db)]);
    return { data, pagination: paginationOf(query, count) };
  });

  implement.tenant(hsdVerification.listUploadRows, async ({ db, params, query }) => {
    if (!(await selectUploadPump(db, params.id))) throw notFound('Upload');
    const [data, count] = await Promise.all([selectPageOfBill(db, params.id, query), countBillRows(db, params.id)]);
    return { data, pagination: paginationOf(query, count) };
  });

  implement.tenant(hsdVerification.exportDiscrepancies, ({ db, params }) => discrepancySheet(db, params.id));

  implement.tenant(hsdVerification.exportDiscrepanciesPdf, ({ db, params }) => discrepancyPdf(db, params.id));

  implement.tenant(hsdVerification.listLedger, async ({ db, query }) => {
    const { data, count } = await selectHsdLedger(db, query);
    return { data, pagination: paginationOf(query, count) };
  });

  implement.tenant(hsdVerification.accept, async ({ db, caller, body }) => ({
    data: await acceptHsdRows(db, caller, body),
  }));

  implement.tenant(hsdVerification.review, async ({ db, body }) => ({ data: await reviewHsd(db, body.challanIds) }));

  implement.tenant(hsdVerification.verify, async ({ db, caller, body }) => ({
    data: await verifyHsd(db, caller, body.challanIds),
  }));
}
