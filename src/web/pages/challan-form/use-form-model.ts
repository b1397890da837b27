import { useCallback, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useForm, type UseFormReturn } from 'react-hook-form';
import type { Challan } from '../../../shared/contract/challan.ts';
import { useFixedErrors } from '../../forms/fixed-errors.ts';
import { getSession } from '../../api/session-store.ts';
import type { Draft } from '../../shell/account-storage.ts';
import { today } from '../../shell/fields.tsx';
import { draftKey, readDraft, removeDraft, writeDraft, type FormDraft } from './draft.ts';
import { changedFields, rebase, withField, type FieldClash } from './form-changes.ts';
import { errorsOf, formResolver, type Mode } from './form-errors.ts';
import { FormTrack } from './form-track.ts';
import {
  blankForm,
  copiedValues,
  fieldNames,
  isDateField,
  isFieldName,
  startValues,
  storedValues,
  type FieldName,
  type FormValues,
} from './form-values.ts';
import { readRemembered } from './remembered.ts';

/** Part 2 §2.2. */
const prefillDelayMs = 100;
const draftDelayMs = 250;

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
  /** Filled in by the program: never over what was typed since `moment`. */
  fill: <N extends FieldName>(name: N, value: FormValues[N], moment?: number) => void;
  /** Another one after each new beginning: a field that keeps typed text to itself begins anew with it. */
  generation: number;
  /** What is typed now is in the draft when this returns. */
  keepDraft: () => void;
  /** Back to the beginning: a new challan with its remembered values, or the stored one. */
  begin: () => void;
  /** Everything as it was before `begin`; what was typed since stays. */
  undoBegin: (before: FormValues) => void;
  /** The work is saved: nothing is dirty, and no draft is left. */
  settle: () => void;
  clashes: readonly FieldClash[];
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
    // The error summary takes the focus (expectation 9).
    shouldFocusError: false,
  });
  const standing = useCallback((values: FormValues) => errorsOf(values, track.stored, track.problems), [track]);
  useFixedErrors(form, standing);

  const key = draftKey(opened?.id);
  const [account] = useState(() => getSession()?.user.id);
  const [generation, setGeneration] = useState(0);
  const keepNow = useRef<() => void>(() => undefined);
  const [offer, setOffer] = useState(() => readDraft(key));
  const [isDirty, setDirty] = useState(false);
  const [clashes, setClashes] = useState<readonly FieldClash[]>([]);

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
      setClashes([]);
    },
    [form, track, isNew],
  );

  // Ruling 26: the prefill never overwrites a touched field nor moves the focus.
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
          if (value !== undefined && !track.isEdited(name)) form.setValue(name, value);
        }
      });
      // Ruling 25: typing replaces the TP number of the challan before, and so it does what was filled into any field that
      // somebody has meanwhile walked on to. In the same turn, as the next key may come before the next frame.
      const isWaiting =
        focused instanceof HTMLInputElement && isFieldName(focused.name) && !track.isEdited(focused.name);
      if (isWaiting && focused.type !== 'checkbox') focused.select();
    }, prefillDelayMs);
    return () => clearTimeout(timer);
  }, [begin, form, track, isNew, copyFrom]);

  useEffect(() => {
    return form.subscribe({
      formState: { values: true },
      callback: ({ values, name, type }) => {
        if (type === 'change' && name && isFieldName(name)) track.markEdited(name);
        setDirty(changedFields(track.start, values).length > 0);
        // Part 2 §5: the unloading date defaults to the loading date, as long as nobody has said otherwise.
        if (isNew && name === 'loadingDate' && type === 'change' && !track.isEdited('unloadingDate')) {
          form.setValue('unloadingDate', values.loadingDate);
        }
      },
    });
  }, [form, track, isNew]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const save = (): void => {
      clearTimeout(timer);
      timer = undefined;
      const now = form.getValues();
      const changed = changedFields(track.start, now);
      // An offered draft that is neither restored nor discarded is not lost under what is typed now.
      const values: Partial<FormValues> = { ...offer?.value.values };
      for (const name of changed) Object.assign(values, { [name]: now[name] });
      if (changed.length > 0 || !offer) writeDraft(key, { values, version: track.stored?.version }, account);
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
  const fill: FormModel['fill'] = (name, value, moment) => {
    const isTaken = moment === undefined ? track.isEdited(name) : track.isEditedSince(name, moment);
    // Safe: as in `put`.
    if (!isTaken) form.setValue(name as 'remarks', value as string);
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
      }
      setOffer(undefined);
    },
    discardDraft: () => {
      removeDraft(key);
      setOffer(undefined);
    },
    put,
    fill,
    generation,
    keepDraft: () => keepNow.current(),
    begin: () => {
      removeDraft(key);
      setOffer(undefined);
      setGeneration((count) => count + 1);
      begin();
    },
    undoBegin: (before) => {
      for (const name of fieldNames) {
        if (!track.isEdited(name) && before[name] !== track.start[name]) put(name, before[name]);
      }
    },
    settle: () => {
      track.settle(form.getValues());
      setDirty(false);
      removeDraft(key);
    },
    clashes,
    rebaseTo: (theirs) => {
      const { merged, clashes: found } = rebase(track.start, form.getValues(), storedValues(theirs));
      track.rebase(theirs);
      setStored(theirs);
      setClashes(found);
      form.reset(merged, { keepErrors: true });
    },
    takeTheirs: (field) => {
      if (!isFieldName(field)) return;
      put(field, track.start[field]);
      setClashes((all) => all.map((item) => (item.field === field ? { ...item, isMineKept: false } : item)));
    },
  };
}
