import { contract } from '../../shared/contract/index.ts';
import type { Implementer } from '../http/implement.ts';
import { countUploads, selectUploads } from '../queries/hsd-verification.ts';
import { paginationOf } from '../queries/paging.ts';
import { compareHsdFile, readHsdFile, verifyHsd } from '../services/hsd-verification.ts';

export function hsdVerificationRoutes(implement: Implementer): void {
  const { hsdVerification } = contract;

  implement.upload(hsdVerification.upload, readHsdFile, async ({ db, caller, file }) => ({
    data: await compareHsdFile(db, caller, file),
  }));

  implement.tenant(hsdVerification.listUploads, async ({ db, query }) => {
    const [data, count] = await Promise.all([selectUploads(db, query), countUploads(db)]);
    return { data, pagination: paginationOf(query, count) };
  });

  implement.tenant(hsdVerification.verify, async ({ db, caller, body }) => ({
    data: await verifyHsd(db, caller, body.challanIds),
  }));
}
