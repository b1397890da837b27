import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { clsx } from 'clsx';
import { Spinner } from './spinner.tsx';
import { Tooltip } from './tooltip.tsx';

type Variant = 'primary' | 'secondary' | 'ghost' | 'danger';

interface Common extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled'> {
  variant?: Variant;
  size?: 'md' | 'sm';
  /** The action is running: the button keeps its width and focus, shows a spinner, and cannot be pressed again. */
  busy?: boolean | undefined;
  /** Why the button is disabled. It stays focusable and shows this reason (docs/specification.md §19.5). */
  disabledReason?: string | undefined;
  /** The button was pressed while it is disabled. */
  onRefused?: (() => void) | undefined;
  /** The key that does the same, shown in the tooltip. */
  keys?: string | undefined;
  ref?: Ref<HTMLButtonElement> | undefined;
}

interface ButtonProps extends Common {
  icon?: ReactNode;
  tooltip?: ReactNode;
}

const looks: Record<Variant, string> = {
  primary: 'border-transparent bg-primary text-primary-ink hover:bg-primary-strong',
  secondary: 'border-control/60 bg-surface text-ink hover:bg-hover',
  ghost: 'border-transparent bg-transparent text-ink hover:bg-hover',
  danger: 'border-transparent bg-danger text-danger-ink hover:brightness-110',
};
const blockedLook = 'cursor-not-allowed opacity-55';
const pressedLook = 'aria-pressed:border-primary aria-pressed:bg-primary-soft aria-pressed:text-primary';

type Blocking = Pick<Common, 'busy' | 'disabledReason' | 'onClick' | 'onRefused'>;

function useBlocking({ busy, disabledReason, onClick, onRefused }: Blocking) {
  const isBlocked = Boolean(busy || disabledReason);
  return {
    isBlocked,
    attributes: {
      'aria-disabled': isBlocked || undefined,
      'aria-busy': busy || undefined,
      onClick: (event: Parameters<NonNullable<Common['onClick']>>[0]) => {
        // An aria-disabled button stays in the tab order and still submits its form, so that is prevented here.
        if (!isBlocked) return onClick?.(event);
        event.preventDefault();
        if (!busy) onRefused?.();
        return undefined;
      },
    },
  };
}

export function Button(props: ButtonProps) {
  const {
    variant = 'secondary',
    size = 'md',
    busy,
    disabledReason,
    onRefused,
    keys,
    icon,
    tooltip,
    className,
    children,
    onClick,
    type = 'button',
    ...rest
  } = props;
  const { isBlocked, attributes } = useBlocking({ busy, disabledReason, onClick, onRefused });
  return (
    <Tooltip text={disabledReason ?? tooltip} keys={disabledReason ? undefined : keys}>
      <button
        {...rest}
        {...attributes}
        type={type}
        className={clsx(
          'relative inline-flex shrink-0 select-none items-center justify-center gap-1.5 rounded-md border font-medium whitespace-nowrap transition-[background-color,border-color]',
          size === 'md' ? 'h-8 px-3' : 'h-7 px-2 text-xs',
          looks[variant],
          pressedLook,
          isBlocked && !busy && blockedLook,
          className,
        )}
      >
        <span className={clsx('inline-flex items-center gap-1.5', busy && 'invisible')}>
          {icon}
          {children}
        </span>
        {busy && (
          <span className="absolute inset-0 grid place-items-center">
            <Spinner label="Working" />
          </span>
        )}
      </button>
    </Tooltip>
  );
}

interface IconButtonProps extends Common {
  /** The accessible name, also shown as the tooltip. */
  label: string;
  icon: ReactNode;
}

export function IconButton(props: IconButtonProps) {
  const {
    label,
    icon,
    variant = 'ghost',
    size = 'md',
    busy,
    disabledReason,
    onRefused,
    keys,
    className,
    onClick,
    ...rest
  } = props;
  const { isBlocked, attributes } = useBlocking({ busy, disabledReason, onClick, onRefused });
  return (
    <Tooltip
      text={disabledReason ?? label}
      keys={disabledReason ? undefined : keys}
      describes={Boolean(disabledReason)}
    >
      <button
        type="button"
        {...rest}
        {...attributes}
        aria-label={label}
        className={clsx(
          'inline-flex shrink-0 items-center justify-center rounded-md border transition-[background-color,border-color]',
          size === 'md' ? 'size-8' : 'size-7',
          looks[variant],
          pressedLook,
          isBlocked && !busy && blockedLook,
          className,
        )}
      >
        {busy ? <Spinner label="Working" /> : icon}
      </button>
    </Tooltip>
  );
}
