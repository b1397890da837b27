import { useCallback, useEffect, useRef, useState } from 'react';
import {
  useForm,
  type DefaultValues,
  type Field,
  type FieldPath,
  type PathValue,
  type UseFormReturn,
} from 'react-hook-form';
import { zodResolver } from '@hookform/resolvers/zod';
import type { z } from 'zod';
import { isApiError, withoutText } from '../api/api-error.ts';
import { notify } from '../feedback/toast.ts';
import { serverError, serverErrorAbove, useClearFixedErrors } from './form-field.tsx';
import { readKeptEntries, useKeepEntries, type KeptEntries } from './kept-entries.ts';
import type { KeptEntriesInfo } from './kept-entries-notice.tsx';
import type { FieldSpec, FieldTable } from './record-fields.tsx';

/** The values of a dialog form: a flat object of strings. */
export type TextValues = Record<string, string>;

/** A field that somebody else changed while the form was open (docs/specification.md §19.4). */
export interface Conflict {
  field: string;
  mine: string;
  theirs: string;
  /** Both changed the field: it shows ours until "Use theirs" is chosen. */
  isMineKept: boolean;
}

/** The values and the version of a stored record in its form. */
export interface Stored<V> {
  values: V;
  version: number | undefined;
}

export interface RecordFormOptions {
  /** The id of the record to edit; absent for a new one. */
  id?: string | undefined;
  /** The key under which the entries are kept when the session expires; absent if they are not kept. */
  entriesKey?: string | undefined;
  /** Fields that are never kept. */
  secret?: readonly string[];
  /** Texts shown beside the values, which are kept with them. */
  aside?: Readonly<Record<string, string>>;
  /** Another form is open over this one, so its entries are kept even if nothing was typed. */
  isCovered?: boolean;
  /** The heading of a failure above the fields; absent: a toast says it. */
  failureTitle?: string | undefined;
}

export interface RecordForm<V extends TextValues> {
  form: UseFormReturn<V>;
  /** The id of the edited record, taken from kept entries if there are any; undefined for a new record. */
  id: string | undefined;
  /** The form has reopened by itself with these kept entries. */
  kept: KeptEntriesInfo | undefined;
  /** Validates the form, then saves, or focuses the first invalid field. */
  submit: (save: (values: V) => void) => void;
  /** Focuses a field at once. The library's `setFocus` does it one task later, possibly after the next key press. */
  focus: (name: keyof V & string) => void;
  /** The newest known version: a conflict brings a newer one than the dialog was opened with. */
  version: number | undefined;
  /** The names of the changed fields, the only ones that an update sends. */
  changed: () => (keyof V & string)[];
  conflicts: readonly Conflict[];
  takeTheirs: (field: string) => void;
  /** What is shown above the fields since the last save. */
  failure: { title: string; error: unknown; fallback: string } | undefined;
  closeFailure: () => void;
  /**
   * Shows a failed save: field errors beside their fields, and the message above them or as a toast. A version conflict is
   * merged with what was typed; `current` reads the newer record from the error's data.
   */
  showFailure: (error: unknown, fallback: string, current?: (data: unknown) => Stored<V> | undefined) => void;
}

/** Turns a record into form values, each as text. A missing value becomes the initial value of a new record. */
export function storedOf<N extends string>(fields: FieldTable<N>, record: object): Stored<Record<N, string>> {
  const held = new Map<string, unknown>(Object.entries(record));
  const texts = Object.entries<FieldSpec>(fields).map(([name, { initial = '' }]) => {
    const text = String(held.get(name) ?? initial);
    // Of a masked value the end is known only, so the field starts empty.
    return [name, text.includes('•') ? '' : text];
  });
  const version = held.get('version');
  // Safe: there is one text for each name of the table.
  const values = Object.fromEntries(texts) as Record<N, string>;
  return { values, version: typeof version === 'number' ? version : undefined };
}

/** The start of a form with kept entries. Its fields are those of the current form, whatever was kept. */
function startOf<V extends TextValues>(opened: Stored<V>, { base }: KeptEntries): Stored<V> {
  const values = Object.fromEntries(
    Object.entries(opened.values).map(([name, text]) => [name, base.values[name] ?? text]),
  );
  // Safe: the names are the same, and each value is text.
  return { values: values as V, version: base.version };
}

/** The form of a record's create and edit dialog. It validates with `schema`, a schema of the contract whose input is V. */
export function useRecordForm<V extends TextValues>(
  schema: z.ZodType,
  opened: Stored<V>,
  options: RecordFormOptions = {},
): RecordForm<V> {
  const { entriesKey, secret = [], aside = {}, isCovered = false, failureTitle: title } = options;
  const showsErrorInDialog = title !== undefined;
  const [failure, setFailure] = useState<RecordForm<V>['failure']>();
  const closeFailure = (): void => setFailure(undefined);
  const reportError = (error: unknown, fallback: string): void => {
    if (title === undefined) notify.error(error, fallback);
    else setFailure({ title, error, fallback });
  };
  const [kept] = useState(() => readKeptEntries(entriesKey));
  const [start] = useState<Stored<V>>(() => (kept ? startOf(opened, kept.value) : opened));
  const id = kept ? kept.value.id : options.id;
  const form = useForm<V>({
    // Safe: DefaultValues<V> is a deep partial of V.
    defaultValues: start.values as DefaultValues<V>,
    // Safe: with `raw` the resolver returns the values unchanged, not the schema's output.
    resolver: zodResolver(schema as z.ZodType<V, V>, undefined, { raw: true }),
    mode: 'onBlur',
    reValidateMode: 'onBlur',
    // `submit` focuses the first error itself: the library would focus again a moment later, while the user already types.
    shouldFocusError: false,
  });
  const [conflicts, setConflicts] = useState<readonly Conflict[]>([]);
  /** The record when the form was opened, or from the last conflict. */
  const [base, setBase] = useState(start);

  const errorsOf = useCallback(
    (values: V) => {
      const found = schema.safeParse(values);
      return Object.fromEntries((found.error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.message]));
    },
    [schema],
  );
  useClearFixedErrors(form, errorsOf);

  type Name = keyof V & string;
  const names = Object.keys(start.values) as Name[];
  const textOf = (values: V, name: Name): string => values[name] ?? '';
  // Safe, here and below: V is flat, so its keys are its paths and every value is a string.
  const put = (name: Name, text: string): void =>
    form.setValue(name as FieldPath<V>, text as PathValue<V, FieldPath<V>>, { shouldDirty: true });
  const changed = (): Name[] => {
    const now = form.getValues();
    // Surrounding spaces are not a change, except in a password.
    const comparable = (values: V, name: Name): string =>
      secret.includes(name) ? textOf(values, name) : textOf(values, name).trim();
    return names.filter((name) => comparable(now, name) !== comparable(base.values, name));
  };

  // Safe: the form is flat, so each key is the name of a field.
  const registered = form.control['_fields'] as Record<string, Field>;
  const focus = (name: Name): void => registered[name]?.['_f'].ref.focus?.();
  /** The values and the focused element when the form was sent. */
  const sent = useRef<{ values: V; at: Element | null }>(undefined);
  const submit = (save: (values: V) => void): void => {
    const send = (values: V): void => {
      sent.current = { values, at: document.activeElement };
      closeFailure();
      save(values);
    };
    void form.handleSubmit(send, (errors) => {
      const wrong = names.find((name) => name in errors);
      if (wrong !== undefined) focus(wrong);
    })();
  };
  /** Whether the user has typed or moved to another field since the form was sent. The answer must then not move the focus. */
  const hasMovedOn = (): boolean => {
    if (!sent.current) return false;
    const { values, at } = sent.current;
    const now = form.getValues();
    const isElsewhere = document.activeElement !== document.body && document.activeElement !== at;
    return isElsewhere || names.some((name) => textOf(now, name) !== textOf(values, name));
  };

  useEffect(() => {
    for (const [name, text] of Object.entries(kept?.value.values ?? {})) {
      // Safe: the name is one of the values, and each value is text.
      if (name in start.values)
        form.setValue(name as FieldPath<V>, text as PathValue<V, FieldPath<V>>, { shouldDirty: true });
    }
  }, [form, kept, start]);
  useKeepEntries(entriesKey, () => {
    const now = form.getValues();
    const typed = changed().filter((name) => !secret.includes(name));
    if (typed.length === 0 && !isCovered) return undefined;
    const isKept = ([name]: [string, string]): boolean => !secret.includes(name);
    return {
      id,
      base: { values: Object.fromEntries(Object.entries<string>(base.values).filter(isKept)), version: base.version },
      values: Object.fromEntries(typed.map((name) => [name, textOf(now, name)])),
      aside: { ...aside },
    };
  });

  const rebase = ({ values: theirs, version }: Stored<V>): void => {
    const mine = form.getValues();
    const edited = changed();
    const changedByOthers = names.filter((name) => textOf(theirs, name) !== textOf(base.values, name));
    setConflicts(
      changedByOthers.map((name) => ({
        field: name,
        mine: textOf(mine, name),
        theirs: textOf(theirs, name),
        isMineKept: edited.includes(name) && textOf(mine, name) !== textOf(theirs, name),
      })),
    );
    setBase({ values: theirs, version });
    form.reset(theirs);
    for (const name of edited) put(name, textOf(mine, name));
  };

  return {
    form,
    id,
    kept:
      kept && Object.keys(kept.value.values).length > 0
        ? { savedAt: kept.savedAt, lacksPassword: secret.length > 0, lacksNumbers: kept.value.lacksNumbers === true }
        : undefined,
    submit,
    focus,
    version: base.version,
    changed,
    conflicts,
    failure,
    closeFailure,
    takeTheirs: (field) => {
      const conflict = conflicts.find((item) => item.field === field);
      if (!conflict) return;
      // Safe: a conflict has the name of one of the form's values.
      put(conflict.field as Name, conflict.theirs);
      setConflicts((all) => all.map((item) => (item === conflict ? { ...item, isMineKept: false } : item)));
    },
    showFailure: (error, fallback, current) => {
      if (isApiError(error, 'VERSION_CONFLICT')) {
        const theirs = current?.(error.data);
        if (theirs) {
          rebase(theirs);
          return;
        }
      }
      if (!isApiError(error)) {
        reportError(error, fallback);
        return;
      }
      const wrong = names.filter((name) => error.fields[name]);
      // A message that is also a field's error is shown once: in the dialog's alert if there is one, otherwise beside the
      // field, because a toast disappears.
      const isMessage = (name: Name): boolean => error.fields[name] === error.text;
      reportError(!showsErrorInDialog && wrong.some(isMessage) ? withoutText(error) : error, fallback);
      for (const name of wrong) {
        const type = showsErrorInDialog && isMessage(name) ? serverErrorAbove : serverError;
        form.setError(name as FieldPath<V>, { type, message: error.fields[name] ?? '' });
      }
      if (wrong[0] && !hasMovedOn()) focus(wrong[0]);
    },
  };
}
