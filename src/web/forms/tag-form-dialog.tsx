import { clsx } from 'clsx';
import { defaultTagColor, tag as tagShape, tagInput, type Tag } from '../../shared/contract/tags.ts';
import { tags } from '../api/resources.ts';
import { FormField } from '../shell/form-field.tsx';
import { notify } from '../shell/toast.ts';
import { TextArea, TextField } from '../ui/text-field.tsx';
import { ClashList } from './clash-list.tsx';
import { RecordDialog } from './record-dialog.tsx';
import { useRecordForm, type Stored } from './record-form.ts';

const labels = { name: 'Tag Name', color: 'Color', description: 'Description' };
type Values = Record<keyof typeof labels, string>;

const storedOf = (tag: Partial<Tag>): Stored<Values> => ({
  values: {
    name: tag.name ?? '',
    color: tag.color ?? defaultTagColor,
    description: tag.description ?? '',
  },
  version: tag.version,
});

/** Far enough apart to be told apart as dots, the default first. */
const palette: readonly { color: string; name: string }[] = [
  { color: defaultTagColor, name: 'Blue' },
  { color: '#0EA5E9', name: 'Sky' },
  { color: '#10B981', name: 'Green' },
  { color: '#84CC16', name: 'Lime' },
  { color: '#F59E0B', name: 'Amber' },
  { color: '#F97316', name: 'Orange' },
  { color: '#EF4444', name: 'Red' },
  { color: '#EC4899', name: 'Pink' },
  { color: '#8B5CF6', name: 'Violet' },
  { color: '#64748B', name: 'Grey' },
];

interface TagFormDialogProps {
  /** The tag to edit; absent: a new one. */
  tag?: Tag | undefined;
  start?: Partial<Pick<Tag, 'name'>> | undefined;
  onClose: () => void;
  onSaved: (tag: Tag) => void;
}

/** Part 1 §5. Render it while it is open. */
export function TagFormDialog({ tag, start, onClose, onSaved }: TagFormDialogProps) {
  const record = useRecordForm<Values>(tagInput, storedOf(tag ?? start ?? {}));
  const { form, clashes } = record;

  const create = tags.useCreate({
    onSuccess: ({ data }) => {
      notify.success('Tag created successfully');
      onSaved(data);
    },
    onError: (error) => record.showFailure(error, 'Failed to save tag'),
  });
  const update = tags.useUpdate({
    onSuccess: ({ data }) => {
      notify.success('Tag updated successfully');
      onSaved(data);
    },
    onError: (error) =>
      record.showFailure(error, 'Failed to save tag', (data) => {
        const current = tagShape.safeParse(data);
        if (!current.success) return undefined;
        return storedOf(current.data);
      }),
  });
  const isBusy = create.isPending || update.isPending;

  const save = form.handleSubmit((values) => {
    if (isBusy) return;
    if (!tag) {
      create.mutate({ body: values });
      return;
    }
    const names = record.changed();
    if (names.length === 0) {
      notify.info('No changes detected');
      onClose();
      return;
    }
    const body = Object.fromEntries(names.map((name) => [name, values[name]]));
    update.mutate({ params: { id: tag.id }, body: { ...body, version: record.version } });
  });

  const { control } = form;
  return (
    <RecordDialog
      title={tag ? 'Edit Tag' : 'Add New Tag'}
      saveLabel={tag ? 'Update Tag' : 'Create Tag'}
      isDirty={form.formState.isDirty}
      isBusy={isBusy}
      onSave={() => void save()}
      onClose={onClose}
      size="sm"
    >
      <ClashList
        noun="This tag"
        rows={clashes.map((clash) => ({ ...clash, label: labels[clash.field as keyof Values] }))}
        onTheirs={record.takeTheirs}
      />
      <div className="grid gap-y-1">
        <FormField control={control} name="name">
          {(field) => <TextField {...field} label={labels.name} required />}
        </FormField>
        <FormField control={control} name="color">
          {(field) => (
            <div>
              <TextField
                {...field}
                label={labels.color}
                required
                hint="A color such as #3B82F6, or one of these"
                trailing={
                  <span
                    aria-hidden
                    className="mr-1 size-4 rounded-full border border-line"
                    style={{ backgroundColor: field.value }}
                  />
                }
              />
              <div role="group" aria-label="Colors" className="mb-2 flex flex-wrap gap-1.5">
                {palette.map(({ color, name }) => {
                  const isChosen = field.value.toUpperCase() === color;
                  return (
                    <button
                      key={color}
                      type="button"
                      aria-label={name}
                      aria-pressed={isChosen}
                      title={name}
                      className={clsx(
                        'size-6 rounded-full border-2',
                        isChosen ? 'border-ink' : 'border-transparent hover:border-line',
                      )}
                      style={{ backgroundColor: color }}
                      onClick={() => field.onValueChange(color)}
                    />
                  );
                })}
              </div>
            </div>
          )}
        </FormField>
        <FormField control={control} name="description">
          {(field) => (
            <TextArea {...field} label={labels.description} rows={2} hint={`${field.value.trim().length} of 200`} />
          )}
        </FormField>
      </div>
    </RecordDialog>
  );
}
