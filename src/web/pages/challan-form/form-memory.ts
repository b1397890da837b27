import { z } from 'zod';
import { withDefaultDates } from '../../../shared/calc/challan-rules.ts';
import { addDays } from '../../../shared/calc/dates.ts';
import { getLastEnd, getSession } from '../../api/session-store.ts';
import { drafts, type Draft } from '../../session/account-storage.ts';
import type { Remembered } from '../../challans/remembered.ts';
import { blankForm, formShape, lookupFields, type FormValues, type LookupField } from '../../challans/form-values.ts';

/** What was typed and not saved: only the fields that differ from what the form began with. */
const draftShape = z.object({
  values: formShape.partial(),
  /** Of the challan the changes were made to. */
  version: z.number().optional(),
  /** Came with the vehicle number; absent in drafts of earlier versions. */
  filledIn: z.array(z.enum(lookupFields)).default([]),
});
export interface FormDraft {
  values: Partial<FormValues>;
  version: number | undefined;
  filledIn: readonly LookupField[];
}

/** Key: user (part of the storage), mode and id (docs/specification.md §8.2.4). */
export const draftKey = (id: string | undefined): string => (id ? `challan.edit.${id}` : 'challan.create');

function check(value: unknown): FormDraft | undefined {
  const read = draftShape.safeParse(value);
  if (!read.success) return undefined;
  // An absent field is absent in the result too; the type of `partial` alone says it might be there as undefined.
  const values = Object.fromEntries(
    Object.entries(read.data.values).filter(([, item]) => item !== undefined),
  ) as Partial<FormValues>;
  return Object.keys(values).length === 0 ? undefined : { ...read.data, values, version: read.data.version };
}

export const readDraft = (key: string): Draft<FormDraft> | undefined => drafts.read(key, check);

/** `account`: the one the form was opened with; its session may just have ended. */
export function writeDraft(key: string, draft: FormDraft, account: string | undefined): void {
  const session = getSession();
  if (session !== null && Object.keys(draft.values).length === 0) drafts.remove(key);
  // After a Logout nothing is kept (docs/specification.md §2.5), after an expired session everything is (§2.4); a draft
  // without values is none when it is read.
  else if (session !== null || getLastEnd() === 'expired') drafts.write(key, draft, account);
}

export const removeDraft = (key: string): void => drafts.remove(key);

/**
 * What a new challan starts with: remembered values, then defaults (docs/specification.md §8.2.4). The loading date
 * defaults to today, the unloading date follows at the distance of the challan before, the deposited date is today (§8.7).
 */
export function startValues({ tripDays = 0, ...remembered }: Remembered, today: string): FormValues {
  const values = withDefaultDates({ ...blankForm(), ...remembered }, today);
  return {
    ...values,
    unloadingDate: addDays(values.loadingDate, tripDays),
    depositedAt: values.depositedAt || today,
  };
}
