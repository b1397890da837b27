import { contract } from '../../shared/contract/index.ts';
import type { Implementer } from '../http/implement.ts';
import { changeOwnPassword } from '../http/own-password.ts';
import { getProfile, updateProfile } from '../services/profile.ts';

export function profileRoutes(implement: Implementer): void {
  implement.global(contract.profile.get, async ({ db, caller }) => ({
    message: 'Profile fetched successfully',
    data: await getProfile(db, caller),
  }));

  implement.global(contract.profile.update, async ({ db, caller, body }) => ({
    message: 'Profile updated successfully',
    data: await updateProfile(db, caller, body),
  }));

  implement.withPool(contract.profile.changePassword, async ({ pool, caller, body }) => {
    await changeOwnPassword(pool, caller, body);
    return { message: 'Password changed successfully' };
  });
}
