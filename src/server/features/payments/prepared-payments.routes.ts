import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { paginationOf } from '../../sql/paging.ts';
import {
  countPrepared,
  listPrepared,
  listPreparedOwners,
  preparePayment,
  releasePrepared,
  sendBack,
  withdraw,
} from './prepared-payments.service.ts';
import { selectChangedAccounts } from './account-changes.queries.ts';
import { confirmAccount, shownAccount } from './account-changes.service.ts';
import { confirmRule, getRule, setRule } from './release-rules.service.ts';

const { preparedPayments, waiting } = contract;

export function preparedPaymentsRoutes(implement: Implementer): void {
  implement.tenant(waiting.get, async ({ db, caller }) => {
    const { releases } = await countPrepared(db, caller);
    return { data: { releases } };
  });

  implement.tenant(preparedPayments.list, async ({ db, caller, query }) => {
    const { data, count } = await listPrepared(db, caller, query);
    return { data, pagination: paginationOf(query, count) };
  });

  implement.tenant(preparedPayments.owners, async ({ db, params, query }) => {
    const { data, count } = await listPreparedOwners(db, params.id, query);
    return { data, pagination: paginationOf(query, count) };
  });

  implement.tenant(preparedPayments.prepare, async ({ db, caller, body }) => ({
    data: await preparePayment(db, caller, body),
  }));

  implement.tenant(preparedPayments.release, async ({ db, caller, params, body }) => ({
    data: await releasePrepared(db, caller, params.id, body.leaveOut),
  }));

  implement.tenant(preparedPayments.sendBack, async ({ db, caller, params, body }) => ({
    data: await sendBack(db, caller, params.id, body.reason),
  }));

  implement.tenant(preparedPayments.withdraw, async ({ db, caller, params }) => ({
    data: await withdraw(db, caller, params.id),
  }));

  implement.tenant(preparedPayments.listAccounts, async ({ db, caller }) => ({
    data: (await selectChangedAccounts(db)).map((account) => shownAccount(account, caller)),
  }));

  implement.tenant(preparedPayments.confirmAccount, async ({ db, caller, params, body }) => {
    await confirmAccount(db, caller, params.id, body);
    return { message: 'Account confirmed' };
  });

  implement.tenant(preparedPayments.getRule, async ({ db, caller }) => ({ data: await getRule(db, caller) }));

  implement.tenant(preparedPayments.setRule, async ({ db, caller, body }) => ({
    data: await setRule(db, caller, body),
  }));

  implement.tenant(preparedPayments.confirmRule, async ({ db, caller, body }) => ({
    data: await confirmRule(db, caller, body.version),
  }));
}
