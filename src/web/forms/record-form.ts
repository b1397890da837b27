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
import { server, serverAbove } from './form-field.tsx';
import { useFixedErrors } from './fixed-errors.ts';
import { readKept, useKeeping, type KeptEntries } from './kept-entries.ts';
import type { Kept } from './kept-note.tsx';
import type { FieldSpec, FieldTable } from './record-fields.tsx';

/** The values of a dialog form: flat, and text in every field. */
export type TextValues = Record<string, string>;

/** A field somebody else changed while it was open here (docs/specification.md §19.4). */
export interface Clash {
  field: string;
  mine: string;
  theirs: string;
  /** Both changed it: ours is in the field until "Use theirs" is chosen. */
  isMineKept: boolean;
}

/** A stored record as the form holds it. */
export interface Stored<V> {
  values: V;
  version: number | undefined;
}

export interface RecordFormOptions {
  /** The record to edit; absent: a new one. */
  id?: string | undefined;
  /** Where its entries are kept over the end of the session; absent: nowhere. */
  keepAs?: string | undefined;
  /** Fields that are never kept. */
  secret?: readonly string[];
  /** What is shown beside the values, to be kept with them. */
  aside?: Readonly<Record<string, string>>;
  /** It is kept with nothing typed too: another form is open over it. */
  isUnder?: boolean;
  tell?: (error: unknown, fallback: string) => void;
}

export interface RecordForm<V extends TextValues> {
  form: UseFormReturn<V>;
  /** The record being edited, which is the kept one's where entries were kept; absent: a new one. */
  id: string | undefined;
  /** The form has opened by itself, with what was typed into it before. */
  kept: Kept | undefined;
  /** Checks the form, then saves, or takes the focus to the first field that is wrong. */
  submit: (save: (values: V) => void) => void;
  /** At once: the library's own `setFocus` does it one task later, when the next key may be there already. */
  focus: (name: keyof V & string) => void;
  /** The newest version seen: a conflict brings a newer one than the dialog was opened with. */
  version: number | undefined;
  /** What was changed, by name: the only keys an update sends. */
  changed: () => (keyof V & string)[];
  clashes: readonly Clash[];
  takeTheirs: (field: string) => void;
  /**
   * Field errors beside their fields, the sentence where `tell` puts it (a toast, unless the dialog has its own place); a
   * conflict is laid over what was typed, with `current` reading the record that came with it.
   */
  showFailure: (error: unknown, fallback: string, current?: (data: unknown) => Stored<V> | undefined) => void;
}

/** A record as its form holds it: each field as text. Where it has none yet, what a new record begins with. */
export function storedOf<N extends string>(fields: FieldTable<N>, record: object): Stored<Record<N, string>> {
  const held = new Map<string, unknown>(Object.entries(record));
  const texts = Object.entries<FieldSpec>(fields).map(([name, { initial = '' }]) => [
    name,
    String(held.get(name) ?? initial),
  ]);
  const version = held.get('version');
  // Safe: one text for each name of the table.
  const values = Object.fromEntries(texts) as Record<N, string>;
  return { values, version: typeof version === 'number' ? version : undefined };
}

/** The form as it began: its fields are those it has now, whatever was kept. */
function startOf<V extends TextValues>(opened: Stored<V>, { base }: KeptEntries): Stored<V> {
  const values = Object.fromEntries(
    Object.entries(opened.values).map(([name, text]) => [name, base.values[name] ?? text]),
  );
  // Safe: the same names, and text in each.
  return { values: values as V, version: base.version };
}

/** One form over one schema of the contract, for a record's create and edit dialog. `schema` takes V in. */
export function useRecordForm<V extends TextValues>(
  schema: z.ZodType,
  opened: Stored<V>,
  options: RecordFormOptions = {},
): RecordForm<V> {
  const { keepAs, secret = [], aside = {}, isUnder = false, tell = notify.error } = options;
  const hasOwnPlace = options.tell !== undefined;
  const [kept] = useState(() => readKept(keepAs));
  const [start] = useState<Stored<V>>(() => (kept ? startOf(opened, kept.value) : opened));
  const id = kept ? kept.value.id : options.id;
  const form = useForm<V>({
    // Safe: DefaultValues<V> is the deep partial of V, and V is a complete V.
    defaultValues: start.values as DefaultValues<V>,
    // Safe: with `raw` the resolver gives back the values it was given, whatever the schema makes of them.
    resolver: zodResolver(schema as z.ZodType<V, V>, undefined, { raw: true }),
    mode: 'onBlur',
    reValidateMode: 'onBlur',
    // `submit` does: the library focuses once more a moment later, in the middle of what is typed by then.
    shouldFocusError: false,
  });
  const [clashes, setClashes] = useState<readonly Clash[]>([]);
  /** The record as it was when opened, or as the last conflict showed it. */
  const [base, setBase] = useState(start);

  const errorsOf = useCallback(
    (values: V) => {
      const found = schema.safeParse(values);
      return Object.fromEntries((found.error?.issues ?? []).map((issue) => [issue.path.join('.'), issue.message]));
    },
    [schema],
  );
  useFixedErrors(form, errorsOf);

  type Name = keyof V & string;
  const names = Object.keys(start.values) as Name[];
  const textOf = (values: V, name: Name): string => values[name] ?? '';
  // Safe here and below: V is flat, so its keys are exactly its paths and every value is text.
  const put = (name: Name, text: string): void =>
    form.setValue(name as FieldPath<V>, text as PathValue<V, FieldPath<V>>, { shouldDirty: true });
  const changed = (): Name[] => {
    const now = form.getValues();
    // Spaces around a text are no change; of a password they are part.
    const meant = (values: V, name: Name): string =>
      secret.includes(name) ? textOf(values, name) : textOf(values, name).trim();
    return names.filter((name) => meant(now, name) !== meant(base.values, name));
  };

  // Safe: the form is flat, so each name is that of a field.
  const places = form.control['_fields'] as Record<string, Field>;
  const focus = (name: Name): void => places[name]?.['_f'].ref.focus?.();
  /** Where the user was when it was sent, and with which values. */
  const sent = useRef<{ values: V; at: Element | null }>(undefined);
  const submit = (save: (values: V) => void): void => {
    const send = (values: V): void => {
      sent.current = { values, at: document.activeElement };
      save(values);
    };
    void form.handleSubmit(send, (errors) => {
      const wrong = names.find((name) => name in errors);
      if (wrong !== undefined) focus(wrong);
    })();
  };
  /** Since it was sent somebody has typed on, or gone to another field: the answer leaves the focus there. */
  const hasGoneOn = (): boolean => {
    if (!sent.current) return false;
    const { values, at } = sent.current;
    const now = form.getValues();
    const isElsewhere = document.activeElement !== document.body && document.activeElement !== at;
    return isElsewhere || names.some((name) => textOf(now, name) !== textOf(values, name));
  };

  useEffect(() => {
    for (const [name, text] of Object.entries(kept?.value.values ?? {})) {
      // Safe: a name of the values, and text as each of them is.
      if (name in start.values)
        form.setValue(name as FieldPath<V>, text as PathValue<V, FieldPath<V>>, { shouldDirty: true });
    }
  }, [form, kept, start]);
  useKeeping(keepAs, () => {
    const now = form.getValues();
    const typed = changed().filter((name) => !secret.includes(name));
    if (typed.length === 0 && !isUnder) return undefined;
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
    const moved = names.filter((name) => textOf(theirs, name) !== textOf(base.values, name));
    setClashes(
      moved.map((name) => ({
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
    clashes,
    takeTheirs: (field) => {
      const clash = clashes.find((item) => item.field === field);
      if (!clash) return;
      // Safe: a clash carries the name it was made from.
      put(clash.field as Name, clash.theirs);
      setClashes((all) => all.map((item) => (item === clash ? { ...item, isMineKept: false } : item)));
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
        tell(error, fallback);
        return;
      }
      const wrong = names.filter((name) => error.fields[name]);
      // The server's sentence is shown once: in the dialog's own place, which stays, or else beside the field, since a
      // toast goes.
      const isText = (name: Name): boolean => error.fields[name] === error.text;
      tell(!hasOwnPlace && wrong.some(isText) ? withoutText(error) : error, fallback);
      for (const name of wrong) {
        const type = hasOwnPlace && isText(name) ? serverAbove : server;
        form.setError(name as FieldPath<V>, { type, message: error.fields[name] ?? '' });
      }
      if (wrong[0] && !hasGoneOn()) focus(wrong[0]);
    },
  };
}
