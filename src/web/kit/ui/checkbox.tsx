import { useId, type ReactNode, type Ref } from 'react';
import { clsx } from 'clsx';
import { assignRef } from './assign-ref.ts';
import { Tooltip } from './tooltip.tsx';

interface CheckboxProps {
  label: ReactNode;
  checked: boolean;
  onCheckedChange: (checked: boolean) => void;
  /** The indeterminate state: some of the rows are checked. */
  mixed?: boolean | undefined;
  /** Looks like a switch, and screen readers announce it as one. */
  isSwitch?: boolean | undefined;
  disabledReason?: string | undefined;
  hint?: ReactNode;
  hideLabel?: boolean | undefined;
  name?: string | undefined;
  onBlur?: (() => void) | undefined;
  className?: string | undefined;
  ref?: Ref<HTMLInputElement> | undefined;
}

export function Checkbox(props: CheckboxProps) {
  const {
    label,
    checked,
    onCheckedChange,
    mixed = false,
    isSwitch = false,
    disabledReason,
    hint,
    hideLabel,
    name,
    onBlur,
    className,
  } = props;
  const { ref } = props;
  const id = useId();
  return (
    <Tooltip text={disabledReason}>
      <span className={clsx('inline-flex items-start gap-2', className)}>
        <input
          id={id}
          name={name}
          type="checkbox"
          role={isSwitch ? 'switch' : undefined}
          className={clsx('mt-0.5 shrink-0 aria-disabled:opacity-50', isSwitch ? 'cd-switch' : 'cd-box')}
          ref={(element) => {
            if (element) element.indeterminate = mixed;
            return assignRef(ref, element);
          }}
          checked={checked}
          aria-disabled={disabledReason ? true : undefined}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onChange={(event) => {
            if (!disabledReason) onCheckedChange(event.target.checked);
          }}
          onBlur={onBlur}
        />
        <span className={clsx(hideLabel && 'sr-only')}>
          <label htmlFor={id}>{label}</label>
          {hint && (
            <span id={`${id}-hint`} className="block text-xs text-muted">
              {hint}
            </span>
          )}
        </span>
      </span>
    </Tooltip>
  );
}
