import { contract } from '../../shared/contract/index.ts';
import type { Implementer } from '../http/implement.ts';
import { changePassword, getProfile, updateProfile } from '../services/profile.ts';

export function profileRoutes(implement: Implementer): void {
  implement.global(contract.profile.get, async ({ db, caller }) => ({
    message: 'Profile fetched successfully',
    data: await getProfile(db, caller),
  }));

  implement.global(contract.profile.update, async ({ db, caller, body }) => ({
    message: 'Profile updated successfully',
    data: await updateProfile(db, caller, body),
  }));

  implement.global(contract.profile.changePassword, async ({ db, caller, body }) => {
    await changePassword(db, caller, body);
    return { message: 'Password changed successfully' };
  });
}
