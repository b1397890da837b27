import { useRef, useState } from 'react';
import { importFieldOf } from '../../../shared/sheet/import-fields.ts';
import type { ImportChoice, ImportKind } from '../../../shared/contract/imports.ts';
import { ConfirmButtons } from '../../kit/actions/confirm-button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { Select } from '../../kit/ui/select-field.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { choiceLabel, describeReasons, errorOf, warningOf, type CheckedRow } from './row-texts.ts';

interface EditRowDialogProps {
  kind: ImportKind;
  fields: readonly string[];
  row: CheckedRow;
  onSave: (texts: readonly string[], choice: ImportChoice) => void;
  onClose: () => void;
  placeFocus: () => boolean;
}

const hintOf = (warning: string | undefined) => warning && <span className="text-warn">⚠ {warning}</span>;

/** Edits one row. Each field shows its error. After saving, all rows are checked again. */
export function EditRowDialog({ kind, fields, row, onSave, onClose, placeFocus }: EditRowDialogProps) {
  const { answer, index } = row;
  const [texts, setTexts] = useState(row.texts);
  const [choice, setChoice] = useState(row.choice);
  const firstWrong = useRef<HTMLInputElement>(null);
  const save = (): void => onSave(texts, choice);
  const wrong = fields.find((name) => errorOf(answer, name) !== undefined);
  const wrongAt = fields.indexOf(
    wrong ?? fields.find((name) => warningOf(answer, name) !== undefined) ?? fields[0] ?? '',
  );
  /** Errors of fields that the file does not have. */
  const others = (answer.errors ?? []).filter(({ field }) => !fields.includes(field));
  return (
    <Dialog
      size="lg"
      title={`Row ${index + 1}`}
      description={describeReasons(kind, answer) || undefined}
      onClose={onClose}
      placeFocus={placeFocus}
      initialFocus={firstWrong}
      footer={<ConfirmButtons onCancel={onClose} label="Save and Check" run={save} isSave />}
    >
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {others.length > 0 && (
          <ul className="mb-2 text-danger">
            {others.map(({ field, message }) => (
              <li key={field}>{`${importFieldOf(kind, field)?.label ?? field} has no column: ${message}`}</li>
            ))}
          </ul>
        )}
        <div className="grid grid-cols-2 gap-x-4 gap-y-1 max-md:grid-cols-1">
          {fields.map((name, at) => (
            <TextField
              key={name}
              ref={at === wrongAt ? firstWrong : undefined}
              label={importFieldOf(kind, name)?.label ?? name}
              value={texts[at] ?? ''}
              error={texts[at] === row.texts[at] ? errorOf(answer, name) : undefined}
              hint={texts[at] === row.texts[at] ? hintOf(warningOf(answer, name)) : undefined}
              onValueChange={(text) => setTexts(texts.map((old, column) => (column === at ? text : old)))}
            />
          ))}
          {answer.choices && (
            <Select
              label="What happens"
              value={choice}
              options={answer.choices.map((value) => ({ value, label: choiceLabel(answer, value) }))}
              onValueChange={setChoice}
            />
          )}
        </div>
        {/* Lets Enter in a field submit the form. */}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  );
}
