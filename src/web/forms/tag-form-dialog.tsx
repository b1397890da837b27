import { clsx } from 'clsx';
import { defaultTagColor, tag as tagShape, tagInput, type Tag } from '../../shared/contract/tags.ts';
import { tags } from '../api/resources.ts';
import { FormField } from '../shell/form-field.tsx';
import { TextArea, TextField } from '../ui/text-field.tsx';
import { RecordClashes, RecordDialog } from './record-dialog.tsx';
import { useRecordForm, type Stored } from './record-form.ts';
import { useRecordSave } from './record-save.ts';

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
  /** Where its entries are kept over the end of the session. */
  keepAs: string;
  onClose: () => void;
  onSaved: (tag: Tag) => void;
}

/** Part 1 §5. Render it while it is open. */
export function TagFormDialog({ tag, start, keepAs, onClose, onSaved }: TagFormDialogProps) {
  const record = useRecordForm<Values>(tagInput, storedOf(tag ?? start ?? {}), {
    id: tag?.id,
    keepAs,
  });
  const { form } = record;

  const { save, isBusy } = useRecordSave({
    record,
    resource: tags,
    shape: tagShape,
    storedOf,
    bodyOf: (values) => values,
    words: {
      created: 'Tag created successfully',
      updated: 'Tag updated successfully',
      notCreated: 'Failed to save tag',
      notUpdated: 'Failed to save tag',
    },
    onClose,
    onSaved,
  });

  const { control } = form;
  return (
    <RecordDialog
      title={record.id ? 'Edit Tag' : 'Add New Tag'}
      saveLabel={record.id ? 'Update Tag' : 'Create Tag'}
      record={record}
      isBusy={isBusy}
      onSave={save}
      onClose={onClose}
      size="sm"
    >
      <RecordClashes noun="This tag" record={record} labels={labels} />
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
              <div role="group" aria-label="Colors" className="mt-1 mb-2 flex flex-wrap gap-1.5">
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
