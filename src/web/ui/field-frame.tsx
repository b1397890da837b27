import { useId, type FocusEvent, type ReactNode } from 'react';
import { clsx } from 'clsx';
import { Tooltip } from './tooltip.tsx';

/** What every field takes besides its own value. */
export interface FieldFrameProps {
  label: string;
  required?: boolean | undefined;
  /** Help under the field; an error takes its place. */
  hint?: ReactNode;
  error?: string | undefined;
  /** The error is shown above the fields already: here it is only read out. */
  isErrorAbove?: boolean | undefined;
  /** Why it cannot be changed now; it stays reachable and says so. */
  lockedReason?: string | undefined;
  /** For a field in a bar, where its place says what it is; the label is still read out. */
  hideLabel?: boolean | undefined;
  /** false: no line is kept free for hint and error (filters); what there is to say lies over what follows, and moves nothing. */
  reserve?: boolean | undefined;
  className?: string | undefined;
  /** The control's id, where a caller links to it (error summary). */
  id?: string | undefined;
}

export const controlLook =
  'w-full min-w-0 rounded-md border border-control/70 bg-surface px-2.5 h-8 text-ink placeholder:text-muted/80 ' +
  // Not `read-only:`, which is true of a button too. Without the border of a control: the ground alone is too little in the
  // dark theme.
  '[&:is([readonly],[aria-disabled=true])]:border-line [&:is([readonly],[aria-disabled=true])]:bg-sunken ' +
  '[&:is([readonly],[aria-disabled=true])]:text-muted aria-invalid:border-danger ' +
  'focus-visible:outline-offset-0 focus-visible:border-primary transition-[background-color,border-color]';

/**
 * Whether a field that loses the focus is left. A dialog that opens over it (palette, help, "Create …") gives the focus back:
 * what is typed is not settled and not judged yet.
 */
export function isLeft({ currentTarget, relatedTarget }: FocusEvent): boolean {
  const dialog =
    relatedTarget instanceof Element ? relatedTarget.closest('[role="dialog"], [role="alertdialog"]') : null;
  return dialog === null || dialog.contains(currentTarget);
}

interface FrameProps extends FieldFrameProps {
  children: (control: {
    id: string;
    'aria-describedby': string | undefined;
    'aria-invalid': true | undefined;
    'aria-required': true | undefined;
  }) => ReactNode;
}

/** Nearer to its own field than to the label of the next one. */
const noteLook = 'mt-0.5 mb-1.5 min-h-4 text-xs leading-4';
const floatingLook =
  'absolute top-full left-0 z-20 mt-1 w-max max-w-64 rounded-md border border-line bg-raised px-2 py-1 text-xs leading-4 shadow-float';

/** Label above, control, one line for hint or error below: the line is always there, so nothing moves. */
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
    className,
    id: given,
  } = props;
  const made = useId();
  const id = given ?? made;
  const noteId = `${id}-note`;
  // A rule that is the same for many fields begins with "must": the label makes it a sentence.
  const problem = error?.startsWith('must ') ? `${label} ${error}` : error;
  const note = problem ?? lockedReason ?? hint;
  const control = children({
    id,
    'aria-describedby': note ? noteId : undefined,
    'aria-invalid': error ? true : undefined,
    'aria-required': required || undefined,
  });
  return (
    <div className={clsx('min-w-0', !reserve && 'relative', className)}>
      <label
        htmlFor={id}
        // A label that wrapped would push its own field below its neighbours.
        title={label}
        className={clsx('mb-1 block truncate text-xs font-medium text-muted', hideLabel && 'sr-only')}
      >
        {label}
        {required && (
          <span aria-hidden className="ml-0.5 text-danger">
            *
          </span>
        )}
      </label>
      <Tooltip text={lockedReason}>{control}</Tooltip>
      {(reserve || note) && (
        <p id={noteId} className={clsx(reserve ? noteLook : floatingLook, error ? 'text-danger' : 'text-muted')}>
          {isErrorAbove ? <span className="sr-only">{note}</span> : note}
        </p>
      )}
    </div>
  );
}
