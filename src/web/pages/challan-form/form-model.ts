import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useForm, type UseFormReturn } from 'react-hook-form';
import { addDays, isDay } from '../../../shared/calc/dates.ts';
import type { Challan } from '../../../shared/contract/challan.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { PendingPickers } from '../../forms/pending-pickers.ts';
import { useClearFixedErrors } from '../../forms/fixed-errors.ts';
import { getSession } from '../../api/session-store.ts';
import type { Draft } from '../../session/account-storage.ts';
import { today } from '../../forms/fields.tsx';
import { errorsOf, formResolver, type FieldProblems, type Mode } from '../../challans/form-errors.ts';
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
} from '../../challans/form-values.ts';
import { draftKey, readDraft, removeDraft, startValues, writeDraft, type FormDraft } from './form-memory.ts';
import { readRemembered, type Remembered } from '../../challans/remembered.ts';
import { changedFields, rebase, withField, type FieldClash } from '../../challans/form-changes.ts';

/**
 * What has happened in the form since it began: no render depends on it, the resolver, the prefill and the keys do.
 */
export class FormTrack {
  stored: Challan | undefined;
  /** What the form began with: what differs from it is unsaved. */
  start: FormValues;
  /** Filled from memory (docs/specification.md §8.7): Enter passes these over. */
  remembered: Remembered = {};
  problems: FieldProblems = {};
  /** What a copied challan came with; nothing once the form was cleared. */
  copied: Partial<FormValues> = {};
  /** Filled in from the truck of the vehicle number, and not edited since. */
  readonly filledIn = new Set<LookupField>();
  readonly pickers = new PendingPickers();
  /** One per challan entered, reused when the same one is sent again (docs/specification.md §14.4). */
  idempotencyKey: string = newIdempotencyKey();
  private edits = new Map<FieldName, number>();
  private clock = 0;

  constructor(stored: Challan | undefined) {
    this.stored = stored;
    this.start = stored ? storedValues(stored) : blankForm();
  }

  /** A new beginning: nothing is typed yet. */
  begin(start: FormValues, remembered: Remembered): void {
    this.start = start;
    this.remembered = remembered;
    this.problems = {};
    this.copied = {};
    this.filledIn.clear();
    this.edits.clear();
    this.renewKey();
  }

  /** Saved: nothing differs any more. */
  settle(saved: FormValues): void {
    this.start = saved;
  }

  /** Somebody else's newer version takes the place of the one that was opened. */
  rebase(theirs: Challan): void {
    this.stored = theirs;
    this.start = storedValues(theirs);
  }

  /** The next attempt is a challan of its own, not the earlier one sent again. */
  renewKey(): void {
    this.idempotencyKey = newIdempotencyKey();
  }

  /** A restored draft too: what a person typed once is theirs. */
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

  /** A moment to ask `isEditedSince` about: an answer that comes late must not undo what was typed meanwhile. */
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

/** How long the form waits before it is prefilled (docs/specification.md §8.2.4). */
const prefillDelayMs = 100;
const draftDelayMs = 250;

interface Snapshot {
  values: FormValues;
  filledIn: ReadonlySet<LookupField>;
}

export interface FormModel {
  form: UseFormReturn<FormValues>;
  mode: Mode;
  /** The challan being edited, as it is stored now. */
  stored: Challan | undefined;
  track: FormTrack;
  isDirty: boolean;
  /** A draft of an earlier visit, until it is restored or discarded. */
  offer: Draft<FormDraft> | undefined;
  restoreDraft: () => void;
  discardDraft: () => void;
  /** A person's own act on a field, done by code: picked, copied, taken over. */
  put: <N extends FieldName>(name: N, value: FormValues[N]) => void;
  /** What belongs to the vehicle number: never over what was typed since `moment`. */
  fillIn: (name: LookupField, value: string, moment: number) => void;
  /** Another one after each clearing: a field that keeps typed text to itself is made again with it. */
  generation: number;
  /** What is typed now is in the draft when this returns. */
  keepDraft: () => void;
  /** Back to the beginning: a new challan with its remembered values, or the stored one. */
  begin: () => void;
  /** What `undoBegin` needs to know of the moment before. */
  snapshot: () => Snapshot;
  /** Everything as it was before `begin`; what was typed since stays. */
  undoBegin: (before: Snapshot) => void;
  /** The work is saved: nothing is dirty, and no draft is left. */
  settle: () => void;
  conflicts: readonly FieldClash[];
  rebaseTo: (theirs: Challan) => void;
  takeTheirs: (field: string) => void;
}

/** `copyFrom`: a challan whose values a new one starts with. */
export function useFormModel(opened: Challan | undefined, copyFrom: Challan | undefined): FormModel {
  const [track] = useState(() => new FormTrack(opened));
  const [stored, setStored] = useState(opened);
  const [resolver] = useState(() => formResolver(() => ({ stored: track.stored, problems: track.problems })));
  const form = useForm<FormValues>({
    defaultValues: opened ? storedValues(opened) : blankForm(),
    resolver,
    mode: 'onBlur',
    reValidateMode: 'onBlur',
    // The error summary takes the focus (docs/specification.md §19.4).
    shouldFocusError: false,
  });
  const standing = useCallback((values: FormValues) => errorsOf(values, track.stored, track.problems), [track]);
  useClearFixedErrors(form, standing);

  const key = draftKey(opened?.id);
  const [account] = useState(() => getSession()?.user.id);
  const [generation, setGeneration] = useState(0);
  const keepNow = useRef<() => void>(() => undefined);
  const [offer, setOffer] = useState(() => readDraft(key));
  const [isDirty, setDirty] = useState(false);
  const [conflicts, setConflicts] = useState<readonly FieldClash[]>([]);

  const isNew = opened === undefined;
  const begin = useCallback(
    (keep: (name: FieldName) => boolean = () => false) => {
      const remembered = isNew ? readRemembered() : {};
      const start = track.stored ? storedValues(track.stored) : startValues(remembered, today());
      const now = form.getValues();
      let values = start;
      const kept = fieldNames.filter(keep);
      for (const name of kept) values = withField(values, now, name);
      track.begin(start, remembered);
      for (const name of kept) track.markEdited(name);
      form.reset(values, { keepErrors: kept.length > 0 });
      setConflicts([]);
    },
    [form, track, isNew],
  );

  // docs/specification.md §8.2.4: the prefill never overwrites a touched field nor moves the focus.
  useEffect(() => {
    if (!isNew) return undefined;
    const timer = setTimeout(() => {
      const focused = document.activeElement;
      const isBeingTyped = (name: FieldName): boolean =>
        // A date field keeps what is being typed to itself until it is left.
        isDateField(name) &&
        focused instanceof HTMLInputElement &&
        focused.name === name &&
        focused.value.trim() !== '';
      flushSync(() => {
        begin((name) => track.isEdited(name) || isBeingTyped(name));
        const copied = copyFrom ? copiedValues(copyFrom) : {};
        track.copied = copied;
        for (const name of fieldNames) {
          const value = copied[name];
          if (value === undefined || track.isEdited(name)) continue;
          form.setValue(name, value);
          if (isLookupField(name)) track.filledIn.add(name);
        }
      });
      // docs/specification.md §8.2.4: typing replaces the TP number of the challan before, and so it does what was
      // filled into any field that somebody has meanwhile walked on to. In the same turn, as the next key may come
      // before the next frame.
      const isWaiting =
        focused instanceof HTMLInputElement && isFieldName(focused.name) && !track.isEdited(focused.name);
      if (isWaiting && focused.type !== 'checkbox') focused.select();
    }, prefillDelayMs);
    return () => clearTimeout(timer);
  }, [begin, form, track, isNew, copyFrom]);

  // With the drawing, here and below: the first key may come right after it, and is an edit.
  useLayoutEffect(() => {
    return form.subscribe({
      formState: { values: true },
      callback: ({ values, name, type }) => {
        if (type === 'change' && name && isFieldName(name)) track.markEdited(name);
        setDirty(changedFields(track.start, values).length > 0);
        // docs/specification.md §8.3.3: the unloading date defaults to the loading date, as long as nobody has said
        // otherwise.
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
      // An offered draft that is neither restored nor discarded is not lost under what is typed now.
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
    keepNow.current = flush;
    window.addEventListener('pagehide', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      stop();
      flush();
    };
  }, [form, track, key, account, offer]);

  const put: FormModel['put'] = (name, value) => {
    track.markEdited(name);
    // Safe: `value` is the type of this very field; the library's path types do not carry that through a generic.
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
    keepDraft: () => keepNow.current(),
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
