import { z } from 'zod';
import { withDefaultDates } from '../../../../shared/calc/challan-rules.ts';
import { addDays } from '../../../../shared/calc/dates.ts';
import { getLastEnd, getSession } from '../../../kit/api/session-store.ts';
import { drafts, type Draft } from '../../../kit/api/account-storage.ts';
import type { Remembered } from './remembered.ts';
import { blankForm, formShape, lookupFields, type FormValues, type LookupField } from './form-values.ts';

/** A draft: only the fields that differ from the form's start values. */
const draftShape = z.object({
  values: formShape.partial(),
  /** The version of the challan when it was changed. */
  version: z.number().optional(),
  /** Fields that were filled in by the vehicle lookup; absent in older drafts. */
  filledIn: z.array(z.enum(lookupFields)).default([]),
});
export interface FormDraft {
  values: Partial<FormValues>;
  version: number | undefined;
  filledIn: readonly LookupField[];
}

/** The key of a draft: mode and id. The storage adds the user (docs/specification.md §8.2.4). */
export const draftKey = (id: string | undefined): string => (id ? `challan.edit.${id}` : 'challan.create');

function check(value: unknown): FormDraft | undefined {
  const read = draftShape.safeParse(value);
  if (!read.success) return undefined;
  // Safe: undefined values are filtered out. The type of `partial` allows them, so the compiler needs this.
  const values = Object.fromEntries(
    Object.entries(read.data.values).filter(([, item]) => item !== undefined),
  ) as Partial<FormValues>;
  return Object.keys(values).length === 0 ? undefined : { ...read.data, values, version: read.data.version };
}

export const readDraft = (key: string): Draft<FormDraft> | undefined => drafts.read(key, check);

/** `account` is the account that opened the form. Its session may just have ended. */
export function writeDraft(key: string, draft: FormDraft, account: string | undefined): void {
  const session = getSession();
  if (session !== null && Object.keys(draft.values).length === 0) drafts.remove(key);
  // After Logout no draft is kept (docs/specification.md §2.5), after an expired session it is (§2.4). A draft without values
  // is ignored when it is read.
  else if (session !== null || getLastEnd() === 'expired') drafts.write(key, draft, account);
}

export const removeDraft = (key: string): void => drafts.remove(key);

/**
 * The start values of a new challan: remembered values, then defaults (docs/specification.md §8.2.4). The loading date
 * defaults to today, the unloading date is as many days later as on the last challan, the deposited date is today (§8.7).
 */
export function startValues({ tripDays = 0, ...remembered }: Remembered, today: string): FormValues {
  const values = withDefaultDates({ ...blankForm(), ...remembered }, today);
  return {
    ...values,
    unloadingDate: addDays(values.loadingDate, tripDays),
    depositedAt: values.depositedAt || today,
  };
}
