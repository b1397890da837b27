import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { listSubadmins } from './subadmins.queries.ts';
import { hashPassword } from '../session/passwords.service.ts';
import { refuseWeakPassword } from '../session/weak-passwords.service.ts';
import {
  createSubadmin,
  removeSubadmin,
  resetSecondStepOf,
  setSubadminActive,
  updateSubadmin,
} from './subadmins.service.ts';

export function subadminsRoutes(implement: Implementer): void {
  implement.global(contract.subadmins.list, ({ db, query }) => listSubadmins(db, query));

  implement.globalAfter(
    contract.subadmins.create,
    async ({ body: { password, ...values } }) => {
      refuseWeakPassword(password, [values.email, values.bannerName], 'password');
      return { values, passwordHash: await hashPassword(password) };
    },
    async ({ db, caller, prepared: { values, passwordHash } }) => ({
      data: await createSubadmin(db, caller, values, passwordHash),
    }),
  );

  implement.globalAfter(
    contract.subadmins.update,
    async ({ body: { password, ...values } }) => ({
      values,
      newPassword: password === undefined ? null : { text: password, hash: await hashPassword(password) },
    }),
    async ({ db, caller, params, prepared: { values, newPassword } }) => ({
      data: await updateSubadmin(db, caller, params.id, values, newPassword),
    }),
  );

  implement.global(contract.subadmins.setActive, async ({ db, caller, params, body }) => ({
    data: await setSubadminActive(db, caller, params.id, body.isActive),
  }));

  implement.global(contract.subadmins.resetSecondStep, async ({ db, caller, params }) => {
    await resetSecondStepOf(db, caller, params.id);
    return { message: 'Second step reset' };
  });

  implement.global(contract.subadmins.remove, async ({ db, caller, params }) => {
    await removeSubadmin(db, caller, params.id);
    return { message: 'Subadmin deleted successfully' };
  });
}
