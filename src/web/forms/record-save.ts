import type { z } from 'zod';
import { notify } from '../shell/toast.ts';
import type { RecordForm, Stored, TextValues } from './record-form.ts';

/** What a record's dialog needs of a resource's hooks: R is the record as it is answered, B as it is sent. */
interface RecordResource<B, R> {
  useCreate: (options: Outcome<R>) => { mutate: (variables: { body: B }) => void; isPending: boolean };
  useUpdate: (options: Outcome<R>) => {
    mutate: (variables: { params: { id: string }; body: Partial<B> & { version?: number | undefined } }) => void;
    isPending: boolean;
  };
}
interface Outcome<R> {
  onSuccess: (answer: { data: R }) => void;
  onError: (error: unknown) => void;
}

interface RecordSaveOptions<V extends TextValues, B extends { [K in keyof V]?: unknown }, R> {
  record: RecordForm<V>;
  resource: RecordResource<B, R>;
  /** Reads the newer record of a conflict. */
  shape: z.ZodType<R>;
  storedOf: (current: R) => Stored<V>;
  bodyOf: (values: V) => B;
  words: { created: string; updated: string; notCreated: string; notUpdated: string };
  /** Told of the newer record before it is laid over what was typed. */
  onConflict?: (current: R) => void;
  onClose: () => void;
  onSaved: (saved: R) => void;
}

/** Saving in a record's create and edit dialog: everything of a new record, of an old one only what was changed. */
export function useRecordSave<V extends TextValues, B extends { [K in keyof V]?: unknown }, R>(
  options: RecordSaveOptions<V, B, R>,
): { save: () => void; isBusy: boolean } {
  const { record, resource, shape, storedOf, bodyOf, words, onConflict, onClose, onSaved } = options;
  const create = resource.useCreate({
    onSuccess: ({ data }) => {
      notify.success(words.created);
      onSaved(data);
    },
    onError: (error) => record.showFailure(error, words.notCreated),
  });
  const update = resource.useUpdate({
    onSuccess: ({ data }) => {
      notify.success(words.updated);
      onSaved(data);
    },
    onError: (error) =>
      record.showFailure(error, words.notUpdated, (data) => {
        const current = shape.safeParse(data);
        if (!current.success) return undefined;
        onConflict?.(current.data);
        return storedOf(current.data);
      }),
  });
  const isBusy = create.isPending || update.isPending;

  const save = record.form.handleSubmit((values) => {
    if (isBusy) return;
    const body = bodyOf(values);
    const { id } = record;
    if (id === undefined) {
      create.mutate({ body });
      return;
    }
    const names = record.changed();
    if (names.length === 0) {
      notify.info('No changes detected');
      onClose();
      return;
    }
    // Safe: names are fields of the form, and each is a field of what is sent with the value taken from there.
    const changes = Object.fromEntries(names.map((name) => [name, body[name]])) as unknown as Partial<B>;
    update.mutate({ params: { id }, body: { ...changes, version: record.version } });
  });
  return { save: () => void save(), isBusy };
}
