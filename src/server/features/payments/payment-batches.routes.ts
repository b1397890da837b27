import { possibleNumbers } from '../../../shared/calc/challan-number.ts';
import { dayOf } from '../../../shared/calc/dates.ts';
import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { paginationOf } from '../../sql/paging.ts';
import {
  selectPaymentBatches,
  selectPaymentLines,
  selectPaymentOwners,
  selectPaymentsByNumber,
} from './payment-batches.queries.ts';
import { selectOwnersToWrite } from './payment-messages.queries.ts';
import { sharePayment } from '../shared-reports/shared-reports.service.ts';
import { limitReports, newLink } from '../shared-reports/share.routes.ts';
import { getBatch, paymentFile, reverseBatch, takeBackCarry } from './payment-batches.service.ts';
import { paymentAdvice } from './payment-advice.service.ts';

/** As fast as a person can press a key; each message stores a small file (docs/security.md §6.3). */
const messagesPerAccount = { burst: 120, perSecond: 1 };

export function paymentBatchesRoutes(implement: Implementer, publicUrl: string | undefined): void {
  implement.tenant(contract.paymentBatches.list, async ({ db, query }) => {
    const { data, summary, count } = await selectPaymentBatches(db, query, dayOf(new Date()));
    return { data, summary, pagination: paginationOf(query, count) };
  });

  implement.tenant(contract.paymentBatches.findByNumber, async ({ db, query }) => {
    const numbers = possibleNumbers('PAY', query.q, dayOf(new Date()));
    return { data: numbers.length === 0 ? [] : await selectPaymentsByNumber(db, numbers) };
  });

  implement.tenant(contract.paymentBatches.get, async ({ db, params, query }) => {
    const [batch, lines] = await Promise.all([getBatch(db, params.id), selectPaymentLines(db, params.id, query)]);
    return { data: { ...batch, lines }, pagination: paginationOf(query, batch.updatedCount) };
  });

  implement.tenant(contract.paymentBatches.owners, async ({ db, params, query }) => {
    const [, { owners, count }] = await Promise.all([
      getBatch(db, params.id),
      selectPaymentOwners(db, params.id, query),
    ]);
    return { data: owners, pagination: paginationOf(query, count) };
  });

  implement.files(contract.paymentBatches, ({ db, params }, format) => paymentFile(db, params.id, format));

  implement.tenant(contract.paymentBatches.advice, ({ db, params, query }) =>
    paymentAdvice(db, params.id, query.ownerId),
  );

  implement.tenant(contract.paymentBatches.listMessages, async ({ db, params }) => {
    const [, data] = await Promise.all([getBatch(db, params.id), selectOwnersToWrite(db, params.id)]);
    return { data };
  });

  const limitMessages = limitReports(messagesPerAccount);
  implement.tenant(contract.paymentBatches.writeTo, async ({ db, caller, params, body, request }) => {
    limitMessages(caller.businessId);
    const batch = await getBatch(db, params.id);
    return { data: await sharePayment(db, caller, batch, body.ownerId, newLink(request, publicUrl)) };
  });

  implement.data(contract.paymentBatches.takeBackCarry, ({ db, caller, params }) =>
    takeBackCarry(db, caller, params.id, params.ownerId),
  );

  implement.data(contract.paymentBatches.reverse, ({ db, caller, params, body }) =>
    reverseBatch(db, caller, params.id, body.reason, body.bankLines),
  );
}
