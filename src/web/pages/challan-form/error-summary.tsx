import type { Ref } from 'react';
import { useFormState } from 'react-hook-form';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { useFormParts } from './form-context.ts';
import { fieldLabels, type FieldName } from './form-values.ts';
import type { Problem } from './use-save.ts';

interface ErrorSummaryProps {
  problem: Problem;
  onGoTo: (field: FieldName) => void;
  onSaveAsNew: () => void;
  onClose: () => void;
  ref: Ref<HTMLDivElement>;
}

/** Whether the message says by itself which field it is about: 'Loading weight is required' of 'Loading Weight (MT)'. */
function names(message: string, label: string): boolean {
  return message.toLowerCase().includes(label.replace(/ \(.*\)$/, '').toLowerCase());
}

/**
 * On top of the form, with a link to each field and the words that stand beside it (expectation 9). What is mended since
 * is struck out and stays where it is, so that nothing moves under the hand.
 */
export function ErrorSummary({ problem, onGoTo, onSaveAsNew, onClose, ref }: ErrorSummaryProps) {
  const { errors } = useFormState({ control: useFormParts().model.form.control });
  return (
    <Alert
      ref={ref}
      title={problem.title}
      onClose={onClose}
      actions={
        problem.maySaveAsNew && (
          <Button size="sm" onClick={onSaveAsNew}>
            Save as another challan
          </Button>
        )
      }
    >
      {problem.maySaveAsNew && (
        <p>An earlier attempt may have been saved. Look at the recent challans below before saving it again.</p>
      )}
      {problem.isUnanswered && (
        <p>What you typed is kept. Save again when the connection is back: it is stored once, not twice.</p>
      )}
      {problem.items.length > 0 && (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(20rem,1fr))] gap-x-6">
          {problem.items.map(({ field, message }) => {
            const isMended = errors[field] === undefined;
            const label = fieldLabels[field];
            const isNamed = names(message, label);
            return (
              <li key={field + message}>
                {/* 'Enter 0 or more' alone would leave the eye looking for the field. */}
                {!isNamed && <span className="text-muted">{label}: </span>}
                <a
                  href={`#${field}`}
                  className={isMended ? 'text-muted line-through' : 'text-danger underline underline-offset-2'}
                  onClick={(event) => {
                    event.preventDefault();
                    onGoTo(field);
                  }}
                >
                  {message}
                </a>
                <span className="sr-only">
                  {isNamed && `, ${label}`}
                  {isMended && ', mended'}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </Alert>
  );
}
