import { contract } from '../../../shared/contract/index.ts';
import { changeOwnPassword } from '../../http/own-password.ts';
import { login, userOf } from '../../http/login.ts';
import type { Implementer } from '../../http/implement.ts';
import { deleteSession } from './sessions.queries.ts';
import { selectSignInAccounts, selectSignIns } from './sign-ins.queries.ts';
import { endOtherSessions, endOwnSession, presentOpenSessions } from './sessions.service.ts';

export function sessionRoutes(implement: Implementer): void {
  implement.withoutSession(contract.session.loginAdmin, async ({ body, client, pool, log }) => {
    const { token, account } = await login(pool, 'admin', body, client, log);
    return { data: { token, user: { id: account.email, email: account.email, role: 'admin' as const } } };
  });

  implement.withoutSession(contract.session.loginSubadmin, async ({ body, client, pool, log }) => {
    const { token, account } = await login(pool, 'subadmin', body, client, log);
    return { token, bannerName: account.banner_name, user: userOf(account) };
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
