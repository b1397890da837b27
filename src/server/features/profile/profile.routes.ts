import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { Bucket } from '../../bucket.ts';
import { writeTakeOut } from './take-out.file.ts';
import { changeOwnPassword, confirmOwnPassword } from '../../http/own-password.ts';
import {
  accountTable,
  copyAccount,
  copyPeople,
  copyTaken,
  notTaken,
  peopleTable,
  selectSchemaNumber,
  selectTakenTables,
} from './take-out.queries.ts';
import { Refusal } from '../../refusal.ts';
import { getProfile, updateProfile } from './profile.service.ts';

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

  // Rate limited, because each take-out reads all data of the business.
  const takeOuts = new Bucket({ burst: 3, perSecond: 1 / 600 });
  implement.guardedFile(
    contract.profile.takeOut,
    async ({ pool, caller, body }) => {
      await confirmOwnPassword(pool, caller, body.currentPassword);
      const seconds = takeOuts.take(caller.businessId);
      if (seconds > 0) {
        throw new Refusal(
          'TOO_MANY_REQUESTS',
          'Your data was exported several times. Please try again in a few minutes.',
          {
            retryAfterSeconds: seconds,
          },
        );
      }
    },
    async ({ db }) => {
      const [tables, schema] = [await selectTakenTables(db), await selectSchemaNumber(db)];
      const takenAt = new Date().toISOString();
      const files = [
        { name: `${accountTable.name}.csv`, open: () => copyAccount(db) },
        { name: `${peopleTable.name}.csv`, open: () => copyPeople(db) },
        ...tables.map((table) => ({ name: `${table.name}.csv`, open: () => copyTaken(db, table) })),
      ];
      return {
        name: `challan-desk-${takenAt.slice(0, 10)}.zip`,
        contentType: contract.profile.takeOut.answer.type,
        write: (sink) => writeTakeOut(sink, files, { takenAt, schema, notTaken }),
      };
    },
  );
}
