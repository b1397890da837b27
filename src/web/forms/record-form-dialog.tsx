import { useState, type ComponentType } from 'react';
import type { z } from 'zod';
import { FailureAlert } from '../feedback/failure-alert.tsx';
import { notify } from '../feedback/toast.ts';
import { readKept } from './kept-entries.ts';
import { RecordClashes, RecordDialog } from './record-dialog.tsx';
import { fieldsFor, RecordFields, secretOf, type CustomFields, type FieldTable } from './record-fields.tsx';
import { storedOf, useRecordForm, type Clash, type RecordForm, type RecordFormOptions } from './record-form.ts';

/** What a form needs of a resource's hooks: B is a record as it is sent, R as it is answered. */
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

/** The create and edit dialog of a record as data. */
export interface RecordFormSpec<N extends string, B, R> {
  /** 'Petrol Pump', for the save button. */
  title: string;
  /** What the dialog is called. */
  titles: { add: string; edit: string };
  fields: FieldTable<N>;
  /** Fields under a heading each; absent: all of them without one. */
  groups?: readonly { title: string; names: readonly N[] }[];
  /** Of the contract: it checks the form, and what it makes of the typed texts is what is sent. */
  schema: z.ZodType<B>;
  /** The rules of a change, where they are others. */
  editSchema?: z.ZodType<Partial<B>>;
  /** Reads the newer record that comes with a conflict. */
  shape: z.ZodType<R>;
  resource: RecordResource<B, R>;
  /** Over the reason why a record was not created, which then is shown in the dialog and not as a toast. */
  failureTitle?: string;
  /** Over the fields: what is known of what is being typed. */
  Notice?: ComponentType<{ record: RecordForm<Record<N, string>>; onSave: () => void }>;
  words: { created: string; updated: string; notCreated: string; notUpdated: string };
  /** Two columns, in a wider dialog where there are groups. */
  columns?: 1 | 2;
  size?: 'sm' | 'md';
}

export interface RecordFormProps<R, S = Partial<R>> {
  /** The record to edit; absent: a new one. */
  record?: R | undefined;
  /** What a new one begins with: the text typed into a picker. */
  start?: S | undefined;
  /** Where its entries are kept over the end of the session. */
  keepAs: string;
  onClose: () => void;
  onSaved: (record: R) => void;
}

interface DialogOptions<R> extends Pick<RecordFormOptions, 'aside' | 'isUnder'> {
  /** Called with the newer record before it is laid over what was typed. */
  onConflict?: (current: R) => void;
}

interface RecordFormState<N extends string> {
  record: RecordForm<Record<N, string>>;
  save: () => void;
  isBusy: boolean;
  /** Why the record was not created, where the dialog says so itself. */
  failure: { error: unknown; fallback: string; onClose: () => void } | undefined;
}

/** The form of a record and its saving: everything of a new record, of an old one only what was changed. */
export function recordForm<N extends string, B extends { [K in N]?: unknown }, R extends { id: string }>(
  spec: RecordFormSpec<N, B, R>,
) {
  const { schema, editSchema = schema, shape, words, failureTitle } = spec;
  const secret = secretOf(spec.fields);
  const { useCreate, useUpdate } = spec.resource;

  return function useRecordDialog(
    { record: opened, start, keepAs, onClose, onSaved }: RecordFormProps<R>,
    { onConflict, ...options }: DialogOptions<R> = {},
  ): RecordFormState<N> {
    const [isEdit] = useState(() => opened !== undefined || readKept(keepAs)?.value.id !== undefined);
    const [failed, setFailed] = useState<{ error: unknown; fallback: string }>();
    const fields = fieldsFor(spec.fields, isEdit);
    const rules = isEdit ? editSchema : schema;
    const record = useRecordForm(rules, storedOf(fields, opened ?? start ?? {}), {
      id: opened?.id,
      keepAs,
      secret,
      ...(failureTitle !== undefined && !isEdit && { tell: (error, fallback) => setFailed({ error, fallback }) }),
      ...options,
    });
    const create = useCreate({
      onSuccess: ({ data }) => {
        notify.success(words.created);
        onSaved(data);
      },
      onError: (error) => record.showFailure(error, words.notCreated),
    });
    const update = useUpdate({
      onSuccess: ({ data }) => {
        notify.success(words.updated);
        onSaved(data);
      },
      onError: (error) =>
        record.showFailure(error, words.notUpdated, (data) => {
          const current = shape.safeParse(data);
          if (!current.success) return undefined;
          onConflict?.(current.data);
          return storedOf(fields, current.data);
        }),
    });
    const isBusy = create.isPending || update.isPending;

    const save = (): void =>
      record.submit((values) => {
        if (isBusy) return;
        setFailed(undefined);
        const { id } = record;
        if (id === undefined) {
          // Safe to parse, here and below: the form's resolver has just passed these values through the same schema.
          create.mutate({ body: schema.parse(values) });
          return;
        }
        const names = record.changed();
        if (names.length === 0) {
          notify.info('No changes detected');
          onClose();
          return;
        }
        const body = editSchema.parse(values);
        // Safe: names are fields of the form, and each is a field of what is sent with the value taken from there.
        const changes = Object.fromEntries(names.map((name) => [name, body[name]])) as unknown as Partial<B>;
        update.mutate({ params: { id }, body: { ...changes, version: record.version } });
      });
    const failure = failed && { ...failed, onClose: () => setFailed(undefined) };
    return { record, save, isBusy, failure };
  };
}

interface RecordFormDialogProps<N extends string, B, R> {
  of: RecordFormSpec<N, B, R>;
  state: RecordFormState<N>;
  onClose: () => void;
  custom?: CustomFields<N>;
  /** What a person reads where a field of a conflict holds something else. */
  shownClash?: (clash: Clash) => Partial<Pick<Clash, 'mine' | 'theirs'>>;
  onTheirs?: (field: string) => void;
}

export function RecordFormDialog<N extends string, B, R>(props: RecordFormDialogProps<N, B, R>) {
  const { of, state, onClose, custom, shownClash, onTheirs } = props;
  const { title, titles, groups, columns = 1, size = 'sm', failureTitle = '', Notice } = of;
  const { record, save, isBusy, failure } = state;
  const isEdit = record.id !== undefined;
  const fields = fieldsFor(of.fields, isEdit);
  const grid = columns === 1 ? 'grid gap-y-1' : 'grid grid-cols-2 gap-x-4 gap-y-1';
  const { control } = record.form;
  return (
    <RecordDialog
      title={isEdit ? titles.edit : titles.add}
      saveLabel={isEdit ? `Update ${title}` : `Create ${title}`}
      record={record}
      isBusy={isBusy}
      onSave={save}
      onClose={onClose}
      size={size}
    >
      {failure && <FailureAlert className="mb-3" title={failureTitle} {...failure} />}
      {Notice && <Notice record={record} onSave={save} />}
      <RecordClashes
        noun={`This ${title.toLowerCase()}`}
        record={record}
        fields={fields}
        {...(shownClash && { shown: shownClash })}
        {...(onTheirs && { onTheirs })}
      />
      {groups?.map((group, index) => (
        <fieldset key={group.title} className={index === 0 ? grid : `${grid} mt-2 border-t border-line pt-3`}>
          {/* The legend is on the fieldset's own line: a group below another has its name beside it, under the line. */}
          <legend className={index === 0 ? 'mb-1 text-xs font-semibold text-ink' : 'sr-only'}>{group.title}</legend>
          {index > 0 && (
            <p aria-hidden className="col-span-full mb-1 text-xs font-semibold text-ink">
              {group.title}
            </p>
          )}
          <RecordFields control={control} fields={fields} names={group.names} custom={custom} />
        </fieldset>
      ))}
      {!groups && (
        <div className={grid}>
          <RecordFields control={control} fields={fields} custom={custom} />
        </div>
      )}
    </RecordDialog>
  );
}

/** The dialog of a record whose form is its fields and nothing else. Render it while it is open. */
export function recordFormDialog<N extends string, B extends { [K in N]?: unknown }, R extends { id: string }>(
  spec: RecordFormSpec<N, B, R>,
) {
  const useRecordDialog = recordForm(spec);
  return function RecordFormOf(props: RecordFormProps<R>) {
    return <RecordFormDialog of={spec} state={useRecordDialog(props)} onClose={props.onClose} />;
  };
}
