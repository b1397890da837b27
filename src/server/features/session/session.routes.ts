import { contract } from '../../../shared/contract/index.ts';
import { changeOwnPassword } from '../../http/own-password.ts';
import { login, signInWithCode, userOf, type SignedIn } from '../../http/login.ts';
import type { Implementer } from '../../http/implement.ts';
import { confirmAgain, confirmSetUp } from '../../http/second-step.ts';
import type { SecretBox } from '../../secret-box.ts';
import { selectSecondStep } from './second-steps.queries.ts';
import { beginOwn, renewRecoveryCodes, turnOff } from './second-steps.service.ts';
import { deleteSession } from './sessions.queries.ts';
import { selectSignInAccounts, selectSignIns } from './sign-ins.queries.ts';
import { endOtherSessions, endOwnSession, presentOpenSessions } from './sessions.service.ts';

const adminAnswer = ({ token, account: { email }, newDevices }: SignedIn) => ({
  data: { token, user: { id: email, email, role: 'admin' as const } },
  newDevices,
});
export const subadminAnswer = ({ token, account, newDevices }: SignedIn) => ({
  token,
  bannerName: account.banner_name,
  user: userOf(account),
  newDevices,
});

export function sessionRoutes(implement: Implementer, secrets: SecretBox): void {
  implement.withoutSession(contract.session.loginAdmin, async ({ body, client, pool, log }) =>
    adminAnswer(await login(pool, 'admin', body, client, log)),
  );

  implement.withoutSession(contract.session.loginSubadmin, async ({ body, client, pool, log }) =>
    subadminAnswer(await login(pool, 'subadmin', body, client, log)),
  );

  const { secondStep } = contract;
  implement.withoutSession(secondStep.signInAdmin, async ({ body, client, pool, log }) =>
    adminAnswer(await signInWithCode(pool, 'admin', body, { client, log, secrets })),
  );

  implement.withoutSession(secondStep.signInSubadmin, async ({ body, client, pool, log }) =>
    subadminAnswer(await signInWithCode(pool, 'subadmin', body, { client, log, secrets })),
  );

  implement.global(secondStep.get, async ({ db, caller }) => ({ data: await selectSecondStep(db, caller.accountId) }));

  implement.global(secondStep.begin, async ({ db, caller }) => ({ data: await beginOwn(db, caller, secrets) }));

  implement.withPool(secondStep.confirm, async ({ pool, caller, body }) => ({
    data: { recoveryCodes: await confirmSetUp(pool, caller, body.code, secrets) },
  }));

  implement.global(secondStep.renewCodes, async ({ db, caller }) => ({
    data: { recoveryCodes: await renewRecoveryCodes(db, caller) },
  }));

  implement.global(secondStep.turnOff, async ({ db, caller }) => {
    await turnOff(db, caller);
    return { message: 'Your second step is off' };
  });

  implement.withPool(secondStep.confirmAgain, async ({ pool, caller, body }) => {
    await confirmAgain(pool, caller, body, secrets);
    return { message: 'Confirmed' };
  });

  implement.global(contract.session.logout, async ({ db, caller }) => {
    await deleteSession(db, caller.sessionId);
    return undefined;
  });

  implement.withPool(contract.session.changeAdminPassword, async ({ pool, caller, body }) => {
    await changeOwnPassword(pool, caller, body);
    return { message: 'Password changed successfully' };
  });

  implement.global(contract.session.list, async ({ db, caller }) => ({ data: await presentOpenSessions(db, caller) }));

  implement.global(contract.session.signIns, async ({ db, query }) => ({
    data: { signIns: await selectSignIns(db, query.accountId), accounts: await selectSignInAccounts(db) },
  }));

  implement.global(contract.session.end, async ({ db, caller, params }) => {
    await endOwnSession(db, caller, params.id);
    return { message: 'Signed out there' };
  });

  implement.global(contract.session.endOthers, async ({ db, caller }) => {
    const endedCount = await endOtherSessions(db, caller);
    return { message: 'Signed out everywhere else', data: { endedCount } };
  });
}
