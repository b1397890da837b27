import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useForm, type UseFormReturn } from 'react-hook-form';
import { addDays, isDay } from '../../../../shared/calc/dates.ts';
import type { Challan } from '../../../../shared/contract/challan.ts';
import { newIdempotencyKey } from '../../../kit/api/idempotency-key.ts';
import { PendingPickers } from '../../../kit/forms/pending-pickers.ts';
import { useClearFixedErrors } from '../../../kit/forms/form-field.tsx';
import { getSession } from '../../../kit/api/session-store.ts';
import type { Draft } from '../../../kit/api/account-storage.ts';
import { today } from '../../../kit/forms/day-field.tsx';
import { errorsOf, formResolver, type FieldProblems, type Mode } from './form-errors.ts';
import {
  blankForm,
  copiedValues,
  fieldNames,
  isDateField,
  isFieldName,
  isLookupField,
  storedValues,
  type FieldName,
  type FormValues,
  type LookupField,
} from './form-values.ts';
import { draftKey, readDraft, removeDraft, startValues, writeDraft, type FormDraft } from './form-memory.ts';
import { readRemembered, useRemembered, type Remembered } from './remembered.ts';
import { changedFields, rebase, withField, type FieldClash } from './form-changes.ts';

/**
 * Tracks what has happened in the form since it was opened or cleared. It is not React state, because no render depends on it,
 * only the resolver, the prefill and the keys.
 */
class FormTrack {
  stored: Challan | undefined;
  /** The start values: fields that differ from them are unsaved. */
  start: FormValues;
  /** Values filled from memory (docs/specification.md §8.7). Enter skips these fields. */
  remembered: Remembered = {};
  problems: FieldProblems = {};
  /** The values of a copied challan; empty after the form was cleared. */
  copied: Partial<FormValues> = {};
  /** Fields that the vehicle lookup filled in and nobody has edited since. */
  readonly filledIn = new Set<LookupField>();
  readonly pickers = new PendingPickers();
  /** One key for each challan, reused when the same challan is sent again (docs/specification.md §14.4). */
  idempotencyKey: string = newIdempotencyKey();
  private edits = new Map<FieldName, number>();
  private clock = 0;

  constructor(stored: Challan | undefined) {
    this.stored = stored;
    this.start = stored ? storedValues(stored) : blankForm();
  }

  /** Starts over: nothing is typed yet. */
  begin(start: FormValues, remembered: Remembered): void {
    this.start = start;
    this.remembered = remembered;
    this.problems = {};
    this.copied = {};
    this.filledIn.clear();
    this.edits.clear();
    this.renewKey();
  }

  /** After saving: the saved values become the start values, so nothing is unsaved. */
  settle(saved: FormValues): void {
    this.start = saved;
  }

  /** After a version conflict: the newer version replaces the one that was opened. */
  rebase(theirs: Challan): void {
    this.stored = theirs;
    this.start = storedValues(theirs);
  }

  /** Makes the next attempt a new challan, not a retry of the earlier one. */
  renewKey(): void {
    this.idempotencyKey = newIdempotencyKey();
  }

  /** Restoring a draft also marks its fields as edited, because the user typed them. */
  markEdited(name: FieldName): void {
    this.clock += 1;
    this.edits.set(name, this.clock);
    if (isLookupField(name)) this.filledIn.delete(name);
  }

  isEdited(name: FieldName): boolean {
    return this.edits.has(name);
  }

  get isAnyEdited(): boolean {
    return this.edits.size > 0;
  }

  /** A moment for `isEditedSince`: a late answer must not overwrite what was typed meanwhile. */
  now(): number {
    return this.clock;
  }

  isEditedSince(name: FieldName, moment: number): boolean {
    return (this.edits.get(name) ?? 0) > moment;
  }

  setProblem(name: FieldName, problem: string | undefined): void {
    if (problem) this.problems[name] = problem;
    else delete this.problems[name];
  }
}

/** The delay before the form is prefilled (docs/specification.md §8.2.4). */
const prefillDelayMs = 100;
const draftDelayMs = 250;

interface Snapshot {
  values: FormValues;
  filledIn: ReadonlySet<LookupField>;
}

export interface FormModel {
  form: UseFormReturn<FormValues>;
  mode: Mode;
  /** The edited challan as currently stored. */
  stored: Challan | undefined;
  track: FormTrack;
  isDirty: boolean;
  /** A draft from an earlier visit, until it is restored or discarded. */
  offer: Draft<FormDraft> | undefined;
  restoreDraft: () => void;
  discardDraft: () => void;
  /** Sets a field for the user (a pick, a copied value, a value taken over in a conflict) and marks it as edited. */
  put: <N extends FieldName>(name: N, value: FormValues[N]) => void;
  /** Fills a field from the vehicle lookup, unless it was edited since `moment`. */
  fillIn: (name: LookupField, value: string, moment: number) => void;
  /** A counter of clearings, used as a React key: it remounts fields that hold typed text in their own state. */
  generation: number;
  /** Writes the draft at once. */
  keepDraft: () => void;
  /** Resets the form: a new challan to its remembered values, an edited one to the stored values. */
  begin: () => void;
  /** The state that `undoBegin` restores. */
  snapshot: () => Snapshot;
  /** Restores the state before `begin`. Fields edited since then stay. */
  undoBegin: (before: Snapshot) => void;
  /** After saving: nothing is dirty, and the draft is removed. */
  settle: () => void;
  conflicts: readonly FieldClash[];
  rebaseTo: (theirs: Challan) => void;
  takeTheirs: (field: string) => void;
}

/** The state of the challan form. `copyFrom` is the challan that a new one is copied from. */
export function useFormModel(opened: Challan | undefined, copyFrom: Challan | undefined): FormModel {
  const [track] = useState(() => new FormTrack(opened));
  const [stored, setStored] = useState(opened);
  const [resolver] = useState(() => formResolver(() => ({ stored: track.stored, problems: track.problems })));
  const form = useForm<FormValues>({
    defaultValues: opened ? storedValues(opened) : blankForm(),
    resolver,
    mode: 'onBlur',
    reValidateMode: 'onBlur',
    // The error summary gets the focus instead (docs/specification.md §19.4).
    shouldFocusError: false,
  });
  const currentErrors = useCallback((values: FormValues) => errorsOf(values, track.stored, track.problems), [track]);
  useClearFixedErrors(form, currentErrors);

  const key = draftKey(opened?.id);
  const [account] = useState(() => getSession()?.user.id);
  const [generation, setGeneration] = useState(0);
  const flushDraft = useRef<() => void>(() => undefined);
  const [offer, setOffer] = useState(() => readDraft(key));
  const [isDirty, setDirty] = useState(false);
  const [conflicts, setConflicts] = useState<readonly FieldClash[]>([]);

  const isNew = opened === undefined;
  const isRememberedKnown = useRemembered(isNew);
  const begin = useCallback(
    (keep: (name: FieldName) => boolean = () => false) => {
      const remembered = isNew ? readRemembered() : {};
      const start = track.stored ? storedValues(track.stored) : startValues(remembered, today());
      const now = form.getValues();
      let values = start;
      const kept = fieldNames.filter(keep);
      for (const name of kept) values = withField(values, now, name);
      const filledIn = new Set<string>(track.filledIn);
      track.begin(start, remembered);
      for (const name of kept) {
        if (isLookupField(name) && filledIn.has(name)) track.filledIn.add(name);
        else track.markEdited(name);
      }
      form.reset(values, { keepErrors: kept.length > 0 });
      setConflicts([]);
    },
    [form, track, isNew],
  );

  // The prefill never overwrites a touched field and never moves the focus (docs/specification.md §8.2.4).
  useEffect(() => {
    if (!isNew || !isRememberedKnown) return undefined;
    const timer = setTimeout(() => {
      const focused = document.activeElement;
      const isBeingTyped = (name: FieldName): boolean =>
        // A date field keeps typed text in its own state until blur.
        isDateField(name) &&
        focused instanceof HTMLInputElement &&
        focused.name === name &&
        focused.value.trim() !== '';
      flushSync(() => {
        begin(
          (name) => track.isEdited(name) || isBeingTyped(name) || (isLookupField(name) && track.filledIn.has(name)),
        );
        const copied = copyFrom ? copiedValues(copyFrom) : {};
        track.copied = copied;
        for (const name of fieldNames) {
          const value = copied[name];
          if (value === undefined || track.isEdited(name)) continue;
          form.setValue(name, value);
          if (isLookupField(name)) track.filledIn.add(name);
        }
      });
      // Select the prefilled text of the focused field, so that typing replaces it, as with the remembered TP number
      // (docs/specification.md §8.2.4). This is done in the same turn, because the next key may come before the next frame.
      const isUntouched =
        focused instanceof HTMLInputElement && isFieldName(focused.name) && !track.isEdited(focused.name);
      if (isUntouched && focused.type !== 'checkbox') focused.select();
    }, prefillDelayMs);
    return () => clearTimeout(timer);
  }, [begin, form, track, isNew, isRememberedKnown, copyFrom]);

  // Layout effects, here and below: the subscriptions must exist before the first key press, which is an edit.
  useLayoutEffect(() => {
    return form.subscribe({
      formState: { values: true },
      callback: ({ values, name, type }) => {
        if (type === 'change' && name && isFieldName(name)) track.markEdited(name);
        setDirty(changedFields(track.start, values).length > 0);
        // The unloading date follows the loading date until it is edited (docs/specification.md §8.3.3).
        if (isNew && name === 'loadingDate' && type === 'change' && !track.isEdited('unloadingDate')) {
          const { loadingDate } = values;
          form.setValue(
            'unloadingDate',
            isDay(loadingDate) ? addDays(loadingDate, track.remembered.tripDays ?? 0) : '',
          );
        }
      },
    });
  }, [form, track, isNew]);

  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const save = (): void => {
      clearTimeout(timer);
      timer = undefined;
      const now = form.getValues();
      const changed = changedFields(track.start, now);
      // Keep the values of an offered draft that is neither restored nor discarded, below what is typed now.
      const values: Partial<FormValues> = { ...offer?.value.values };
      for (const name of changed) Object.assign(values, { [name]: now[name] });
      if (changed.length > 0 || !offer) {
        writeDraft(key, { values, version: track.stored?.version, filledIn: [...track.filledIn] }, account);
      }
    };
    const flush = (): void => {
      if (timer !== undefined) save();
    };
    const stop = form.subscribe({
      formState: { values: true },
      callback: () => {
        timer ??= setTimeout(save, draftDelayMs);
      },
    });
    flushDraft.current = flush;
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      stop();
      flush();
    };
  }, [form, track, key, account, offer]);

  const put: FormModel['put'] = (name, value) => {
    track.markEdited(name);
    // Safe: `value` has the type of this field; the library's path types cannot express that for a generic name.
    form.setValue(name as 'remarks', value as string);
  };
  const fillIn: FormModel['fillIn'] = (name, value, moment) => {
    if (track.isEditedSince(name, moment)) return;
    form.setValue(name, value);
    track.filledIn.add(name);
  };

  return {
    form,
    mode: isNew ? 'create' : 'edit',
    stored,
    track,
    isDirty,
    offer,
    restoreDraft: () => {
      const values = offer?.value.values ?? {};
      for (const name of fieldNames) {
        const value = values[name];
        if (value === undefined || track.isEdited(name)) continue;
        put(name, value);
        if (isLookupField(name) && offer?.value.filledIn.includes(name)) track.filledIn.add(name);
      }
      setOffer(undefined);
    },
    discardDraft: () => {
      removeDraft(key);
      setOffer(undefined);
    },
    put,
    fillIn,
    generation,
    keepDraft: () => flushDraft.current(),
    begin: () => {
      removeDraft(key);
      setOffer(undefined);
      setGeneration((count) => count + 1);
      begin();
    },
    snapshot: () => ({ values: form.getValues(), filledIn: new Set(track.filledIn) }),
    undoBegin: ({ values, filledIn }) => {
      for (const name of fieldNames) {
        if (track.isEdited(name) || values[name] === track.start[name]) continue;
        put(name, values[name]);
        if (isLookupField(name) && filledIn.has(name)) track.filledIn.add(name);
      }
    },
    settle: () => {
      track.settle(form.getValues());
      setDirty(false);
      removeDraft(key);
    },
    conflicts,
    rebaseTo: (theirs) => {
      const { merged, clashes: found } = rebase(track.start, form.getValues(), storedValues(theirs));
      track.rebase(theirs);
      setStored(theirs);
      setConflicts(found);
      form.reset(merged, { keepErrors: true });
    },
    takeTheirs: (field) => {
      if (!isFieldName(field)) return;
      put(field, track.start[field]);
      setConflicts((all) => all.map((item) => (item.field === field ? { ...item, isMineKept: false } : item)));
    },
  };
}
