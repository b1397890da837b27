import { contract } from '../../../shared/contract/index.ts';
import { MOST_PREFERENCES } from '../../../shared/contract/preferences.ts';
import type { Implementer } from '../../http/implement.ts';
import { removePreference, selectPreferences, upsertPreference } from './preferences.queries.ts';
import { Refusal } from '../../refusal.ts';

const { preferences } = contract;

export function preferencesRoutes(implement: Implementer): void {
  implement.data(preferences.list, ({ db, caller }) => selectPreferences(db, caller.accountId));

  implement.tenant(preferences.put, async ({ db, caller, body: { key, value } }) => {
    if (value === null) {
      await removePreference(db, caller.accountId, key);
      return { data: null };
    }
    const data = await upsertPreference(db, caller.accountId, key, value, MOST_PREFERENCES);
    if (!data) throw new Refusal('VALIDATION_ERROR', `At most ${MOST_PREFERENCES} settings are kept for an account.`);
    return { data };
  });
}
