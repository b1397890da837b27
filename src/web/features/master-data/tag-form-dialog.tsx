import { clsx } from 'clsx';
import type { z } from 'zod';
import { defaultTagColor, tag, tagFields, tagInput, type Tag } from '../../../shared/contract/tags.ts';
import { tags } from '../../resources/tags.ts';
import { TextField } from '../../kit/ui/text-field.tsx';
import { FormField, type BoundField } from '../../kit/forms/form-field.tsx';
import { formFields } from '../../kit/forms/record-fields.tsx';
import {
  recordForm,
  RecordFormDialog,
  type RecordFormProps,
  type RecordFormSpec,
} from '../../kit/forms/record-form-dialog.tsx';

const spec: RecordFormSpec<'name' | 'color' | 'description', z.output<typeof tagInput>, Tag> = {
  title: 'Tag',
  titles: { add: 'Add New Tag', edit: 'Edit Tag' },
  fields: formFields(tagFields, {
    name: { label: 'Tag Name', required: true },
    color: { required: true, initial: defaultTagColor },
    description: { rows: 2, hint: (text) => `${text.trim().length} of 200` },
  }),
  schema: tagInput,
  shape: tag,
  resource: tags,
  words: {
    created: 'Tag created successfully',
    updated: 'Tag updated successfully',
    notCreated: 'Failed to save tag',
    notUpdated: 'Failed to save tag',
  },
};
const useTagForm = recordForm(spec);

/** docs/specification.md §7.2 */
export function TagFormDialog(props: RecordFormProps<Tag>) {
  const state = useTagForm(props);
  const color = (
    <FormField control={state.record.form.control} name="color">
      {(field) => <ColorField field={field} />}
    </FormField>
  );
  return <RecordFormDialog of={spec} state={state} onClose={props.onClose} custom={{ color }} />;
}

/** Colours that differ enough to be told apart as dots. The default is first. */
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

function ColorField({ field }: { field: BoundField<string> }) {
  return (
    <div>
      <TextField
        {...field}
        label="Color"
        required
        hint="Enter a color such as #3B82F6, or choose one below"
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
  );
}
