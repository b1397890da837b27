import { canDeleteOwner } from '../../shared/access.ts';
import { countChallansOf, ownerTable } from '../queries/owners.ts';
import { removeTrucksOf } from '../queries/trucks.ts';
import { Refusal } from '../refusal.ts';
import { recordWrites } from './records.ts';

export const ownerWrites = recordWrites({
  table: ownerTable,
  /** Refused while challans name the owner; its trucks go with it (docs/specification.md §6.3). */
  beforeRemove: async (db, caller, owner) => {
    const challans = await countChallansOf(db, owner.id);
    const permission = canDeleteOwner(owner, challans);
    if (!permission.allowed) {
      throw new Refusal('OWNER_IN_USE', permission.reason, { data: { totalChallans: challans } });
    }
    await removeTrucksOf(db, caller, owner.id);
  },
});
