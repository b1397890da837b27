import { z } from 'zod';
import { getLastEnd, getSession } from '../../api/session-store.ts';
import { drafts, type Draft } from '../../shell/account-storage.ts';
import { formShape, type FormValues } from './form-values.ts';

/** What was typed and not saved: only the fields that differ from what the form began with. */
const draftShape = z.object({
  values: formShape.partial(),
  /** Of the challan the changes were made to. */
  version: z.number().optional(),
});
export type FormDraft = { values: Partial<FormValues>; version: number | undefined };

/** Key: user (part of the storage), mode and id (ruling 26). */
export const draftKey = (id: string | undefined): string => (id ? `challan.edit.${id}` : 'challan.create');

function check(value: unknown): FormDraft | undefined {
  const read = draftShape.safeParse(value);
  if (!read.success) return undefined;
  // An absent field is absent in the result too; the type of `partial` alone says it might be there as undefined.
  const values = Object.fromEntries(
    Object.entries(read.data.values).filter(([, item]) => item !== undefined),
  ) as Partial<FormValues>;
  return Object.keys(values).length === 0 ? undefined : { values, version: read.data.version };
}

export const readDraft = (key: string): Draft<FormDraft> | undefined => drafts.read(key, check);

/** `account`: the one the form was opened with; its session may just have ended. */
export function writeDraft(key: string, draft: FormDraft, account: string | undefined): void {
  const session = getSession();
  if (session !== null && Object.keys(draft.values).length === 0) drafts.remove(key);
  // After a Logout nothing is kept (ruling 7), after an expired session everything is (ruling 2); a draft without values
  // is none when it is read.
  else if (session !== null || getLastEnd() === 'expired') drafts.write(key, draft, account);
}

export const removeDraft = (key: string): void => drafts.remove(key);
