import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
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

  implement.tenant(preparedPayments.list, ({ db, caller, query }) => listPrepared(db, caller, query));

  implement.tenant(preparedPayments.owners, ({ db, params, query }) => listPreparedOwners(db, params.id, query));

  implement.data(preparedPayments.prepare, ({ db, caller, body }) => preparePayment(db, caller, body));

  implement.data(preparedPayments.release, ({ db, caller, params, body }) =>
    releasePrepared(db, caller, params.id, body.leaveOut),
  );

  implement.data(preparedPayments.sendBack, ({ db, caller, params, body }) =>
    sendBack(db, caller, params.id, body.reason),
  );

  implement.data(preparedPayments.withdraw, ({ db, caller, params }) => withdraw(db, caller, params.id));

  implement.tenant(preparedPayments.listAccounts, async ({ db, caller }) => ({
    data: (await selectChangedAccounts(db)).map((account) => shownAccount(account, caller)),
  }));

  implement.tenant(preparedPayments.confirmAccount, async ({ db, caller, params, body }) => {
    await confirmAccount(db, caller, params.id, body);
    return { message: 'Account confirmed' };
  });

  implement.data(preparedPayments.getRule, ({ db, caller }) => getRule(db, caller));

  implement.data(preparedPayments.setRule, ({ db, caller, body }) => setRule(db, caller, body));

  implement.data(preparedPayments.confirmRule, ({ db, caller, body }) => confirmRule(db, caller, body.version));
}
