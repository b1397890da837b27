import { useId, type FocusEvent, type ReactNode } from 'react';
import { X } from 'lucide-react';
import { clsx } from 'clsx';
import { anyDialog } from './dialog-stack.ts';
import { Tooltip } from './tooltip.tsx';

/** The props of every field, besides its value. */
export interface FieldFrameProps {
  label: string;
  required?: boolean | undefined;
  /** Help text under the field. An error replaces it. */
  hint?: ReactNode;
  error?: string | undefined;
  /** The error is already shown above the fields, so the field gives it to screen readers only. */
  isErrorAbove?: boolean | undefined;
  /** Why the field is read-only. It stays focusable and shows this reason. */
  lockedReason?: string | undefined;
  /** Hides the label visually, for a field in a toolbar. Screen readers still announce it. */
  hideLabel?: boolean | undefined;
  /** false reserves no line for hint and error, as in filters. They then float over what follows, so that nothing moves. */
  reserve?: boolean | undefined;
  /** Marks the label with the sign of the Enter key; the text is its tooltip. */
  enterMark?: string | undefined;
  className?: string | undefined;
  /** The control's id, for a caller that links to it (error summary). */
  id?: string | undefined;
}

export const controlClass =
  'w-full min-w-0 rounded-md border border-control/70 bg-surface px-2.5 h-8 text-ink placeholder:text-muted/80 ' +
  // `read-only:` would also match a button. A read-only control gets another border, because the background alone differs too
  // little in the dark theme.
  '[&:is([readonly],[aria-disabled=true])]:border-line [&:is([readonly],[aria-disabled=true])]:bg-sunken ' +
  '[&:is([readonly],[aria-disabled=true])]:text-muted aria-invalid:border-danger ' +
  'focus-visible:outline-offset-0 focus-visible:border-primary transition-[background-color,border-color]';

/**
 * Whether a blur means that the user has left the field. It does not when a dialog opens over the field (palette, help,
 * "Create …"): the focus will return, so the typed text is neither applied nor validated yet.
 */
export function hasLeftField({ currentTarget, relatedTarget }: FocusEvent): boolean {
  const dialog = relatedTarget instanceof Element ? relatedTarget.closest(anyDialog) : null;
  return dialog === null || dialog.contains(currentTarget);
}

/** Empties its field. It is no Tab stop, and a click leaves the focus where it is: the button disappears with the text. */
export function ClearButton({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      className="grid size-6 place-items-center rounded hover:bg-hover hover:text-ink"
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
    >
      <X size={14} aria-hidden />
    </button>
  );
}

interface FrameProps extends FieldFrameProps {
  children: (control: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
    'aria-required': true | undefined;
  }) => ReactNode;
}

/** The id of the sentence in a dialog's alert that a field with `isErrorAbove` refers to. */
export const errorAboveId = 'error-above';

/** The margins put the note nearer to its own field than to the label of the next one. */
const noteLook = 'mt-0.5 mb-1.5 min-h-4 text-xs leading-4';
const floatingLook =
  'absolute top-full left-0 z-20 mt-1 w-max max-w-64 rounded-md border border-line bg-raised px-2 py-1 text-xs leading-4 shadow-float';

/** A label, the control, and one line below for hint or error. The line is always there, so that nothing moves. */
export function FieldFrame({ children, ...props }: FrameProps) {
  const {
    label,
    required,
    hint,
    error,
    isErrorAbove,
    lockedReason,
    hideLabel,
    reserve = true,
    enterMark,
    className,
    id: givenId,
  } = props;
  const ownId = useId();
  const id = givenId ?? ownId;
  const noteId = `${id}-note`;
  // The message of a rule that many fields share begins with "must". The label in front makes it a sentence.
  const problem = error?.startsWith('must ') ? `${label} ${error}` : error;
  const note = (isErrorAbove ? undefined : problem) ?? lockedReason ?? hint;
  const control = children({
    id,
    'aria-describedby': isErrorAbove ? errorAboveId : note ? noteId : undefined,
    'aria-invalid': error ? true : undefined,
    'aria-required': required || undefined,
  });
  return (
    <div className={clsx('min-w-0', !reserve && 'relative', className)}>
      <label
        htmlFor={id}
        // A label that wraps would push its field below the neighbours, so it is truncated, with the full text in the title.
        title={label}
        className={clsx('mb-1 block truncate text-xs font-medium text-muted', hideLabel && 'sr-only')}
      >
        {label}
        {required && (
          <span aria-hidden className="ml-0.5 text-danger">
            *
          </span>
        )}
        {enterMark && (
          <span aria-hidden title={enterMark} className="ml-1 text-primary">
            ⏎
          </span>
        )}
      </label>
      <Tooltip text={lockedReason}>{control}</Tooltip>
      {(reserve || note) && (
        <p
          id={noteId}
          className={clsx(reserve ? noteLook : floatingLook, note === problem ? 'text-danger' : 'text-muted')}
        >
          {note}
        </p>
      )}
    </div>
  );
}
