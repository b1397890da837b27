import { useState, type ComponentType } from 'react';
import { z } from 'zod';
import { notify } from '../feedback/toast.ts';
import { readKeptEntries } from './kept-entries.ts';
import { RecordConflicts, RecordDialog } from './record-dialog.tsx';
import {
  fieldsFor,
  RecordFields,
  secretFieldsOf,
  type CustomFields,
  type FieldSpec,
  type FieldTable,
} from './record-fields.tsx';
import { storedOf, useRecordForm, type Conflict, type RecordForm, type RecordFormOptions } from './record-form.ts';

/** The hooks of a resource that a form uses. B is the request body, R the record in the answer. */
interface RecordResource<B, R> {
  useCreate: (options: MutationCallbacks<R>) => { mutate: (variables: { body: B }) => void; isPending: boolean };
  useUpdate: (options: MutationCallbacks<R>) => {
    mutate: (variables: { params: { id: string }; body: Partial<B> & { version?: number | undefined } }) => void;
    isPending: boolean;
  };
}
interface MutationCallbacks<R> {
  onSuccess: (answer: { data: R }) => void;
  onError: (error: unknown) => void;
}

/** The create and edit dialog of a record as data. */
export interface RecordFormSpec<N extends string, B, R> {
  /** 'Petrol Pump', for the save button. */
  title: string;
  /** The titles of the dialog. */
  titles: { add: string; edit: string };
  fields: FieldTable<N>;
  /** Groups of fields with headings; absent for all fields without a heading. */
  groups?: readonly { title: string; names: readonly N[] }[];
  /** The contract's schema. It validates the form and turns the typed texts into the request body. */
  schema: z.ZodType<B>;
  /** The schema for an update, where it differs. */
  editSchema?: z.ZodType<Partial<B>>;
  /** Reads the newer record from a version conflict. */
  shape: z.ZodType<R>;
  resource: RecordResource<B, R>;
  /** If given, a failed create is shown in the dialog under this title, and not as a toast. */
  failureTitle?: string;
  /** A notice above the fields about the values being typed. */
  Notice?: ComponentType<{ record: RecordForm<Record<N, string>>; onSave: () => void }>;
  words: { created: string; updated: string; notCreated: string; notUpdated: string };
  /** Two columns, in a wider dialog where there are groups. */
  columns?: 1 | 2;
  size?: 'sm' | 'md';
}

export interface RecordFormProps<R, S = Partial<R>> {
  /** The record to edit; absent for a new one. */
  record?: R | undefined;
  /** The first values of a new record, such as the text typed into a picker. */
  start?: S | undefined;
  /** The key under which the form's entries are kept when the session expires. */
  entriesKey: string;
  onClose: () => void;
  onSaved: (record: R) => void;
}

interface DialogOptions<R> extends Pick<RecordFormOptions, 'aside' | 'isCovered'> {
  /** Called with the newer record before it is merged with what was typed. */
  onConflict?: (current: R) => void;
}

const isMasked = (value: unknown): boolean => typeof value === 'string' && value.includes('•');

/**
 * The seat sees only the end of some values of the edited record (docs/specification.md §28.1). Their fields are empty and say
 * so; what is left empty is not changed.
 */
function withMasked<N extends string>(fields: FieldTable<N>, record: object | undefined): FieldTable<N> {
  const held = new Map<string, unknown>(Object.entries(record ?? {}));
  const specs = Object.entries<FieldSpec>(fields).map(([name, { hint, ...spec }]) => {
    const value = held.get(name);
    if (!isMasked(value)) return [name, hint === undefined ? spec : { ...spec, hint }];
    return [name, { ...spec, required: false, hint: `${String(value)}: leave it empty to keep it` }];
  });
  // Safe: each field has its own name again.
  return Object.fromEntries(specs) as FieldTable<N>;
}

/** The rules of a form in which some fields may stay empty, because their values are kept. */
function orKept<T>(schema: z.ZodType<T>, record: object | undefined): z.ZodType<T> {
  const masked = Object.entries(record ?? {}).flatMap(([name, value]) => (isMasked(value) ? [name] : []));
  if (masked.length === 0 || !(schema instanceof z.ZodObject)) return schema;
  const kept = masked.flatMap((name) => {
    const rule: z.ZodType | undefined = schema.shape[name];
    return rule ? [[name, z.preprocess((text) => (text === '' ? undefined : text), rule.optional())]] : [];
  });
  // Safe: a kept field is not changed, and only changed fields are sent.
  return schema.extend(Object.fromEntries(kept)) as unknown as z.ZodType<T>;
}

interface RecordFormState<N extends string> {
  fields: FieldTable<N>;
  record: RecordForm<Record<N, string>>;
  save: () => void;
  isBusy: boolean;
}

/** Makes the hook of a record's form. It sends all fields of a new record, and only the changed ones of an edited record. */
export function recordForm<N extends string, B extends { [K in N]?: unknown }, R extends { id: string }>(
  spec: RecordFormSpec<N, B, R>,
) {
  const { schema, editSchema = schema, shape, words, failureTitle } = spec;
  const secret = secretFieldsOf(spec.fields);
  const { useCreate, useUpdate } = spec.resource;

  return function useRecordDialog(
    { record: opened, start, entriesKey, onClose, onSaved }: RecordFormProps<R>,
    { onConflict, ...options }: DialogOptions<R> = {},
  ): RecordFormState<N> {
    const [isEdit] = useState(() => opened !== undefined || readKeptEntries(entriesKey)?.value.id !== undefined);
    const fields = withMasked(fieldsFor(spec.fields, isEdit), opened);
    const change = orKept(editSchema, opened);
    const rules = isEdit ? change : schema;
    const record = useRecordForm(rules, storedOf(fields, opened ?? start ?? {}), {
      id: opened?.id,
      entriesKey,
      secret,
      failureTitle: isEdit ? undefined : failureTitle,
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
        const { id } = record;
        if (id === undefined) {
          // `parse` cannot fail, here and below: the form's resolver has just validated these values with the same schema.
          create.mutate({ body: schema.parse(values) });
          return;
        }
        const names = record.changed();
        if (names.length === 0) {
          notify.info('No changes detected');
          onClose();
          return;
        }
        const body = change.parse(values);
        // Safe: the names are fields of the form, and so of the body that the values come from.
        const changes = Object.fromEntries(names.map((name) => [name, body[name]])) as unknown as Partial<B>;
        update.mutate({ params: { id }, body: { ...changes, version: record.version } });
      });
    return { fields, record, save, isBusy };
  };
}

interface RecordFormDialogProps<N extends string, B, R> {
  of: RecordFormSpec<N, B, R>;
  state: RecordFormState<N>;
  onClose: () => void;
  custom?: CustomFields<N>;
  /** Readable values of a conflict for a field that holds ids or the like. */
  shownConflict?: (conflict: Conflict) => Partial<Pick<Conflict, 'mine' | 'theirs'>>;
  onTheirs?: (field: string) => void;
}

export function RecordFormDialog<N extends string, B, R>(props: RecordFormDialogProps<N, B, R>) {
  const { of, state, onClose, custom, shownConflict, onTheirs } = props;
  const { title, titles, groups, columns = 1, size = 'sm', Notice } = of;
  const { fields, record, save, isBusy } = state;
  const isEdit = record.id !== undefined;
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
      {Notice && <Notice record={record} onSave={save} />}
      <RecordConflicts
        noun={`This ${title.toLowerCase()}`}
        record={record}
        fields={fields}
        {...(shownConflict && { shown: shownConflict })}
        {...(onTheirs && { onTheirs })}
      />
      {groups?.map((group, index) => (
        <fieldset key={group.title} className={index === 0 ? grid : `${grid} mt-2 border-t border-line pt-3`}>
          {/* A visible legend would sit on the border line above a further group, so that group shows its title as a paragraph. */}
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

/** Makes the dialog of a record whose form has no custom parts. Render it only while it is open. */
export function recordFormDialog<N extends string, B extends { [K in N]?: unknown }, R extends { id: string }>(
  spec: RecordFormSpec<N, B, R>,
) {
  const useRecordDialog = recordForm(spec);
  return function RecordFormOf(props: RecordFormProps<R>) {
    return <RecordFormDialog of={spec} state={useRecordDialog(props)} onClose={props.onClose} />;
  };
}
