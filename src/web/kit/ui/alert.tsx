import type { ReactNode, Ref } from 'react';
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { clsx } from 'clsx';

type Tone = 'danger' | 'warn' | 'good' | 'info';

const looks: Record<Tone, { box: string; icon: typeof Info }> = {
  danger: { box: 'border-danger/40 bg-danger-soft text-danger', icon: CircleAlert },
  warn: { box: 'border-warn/40 bg-warn-soft text-warn', icon: TriangleAlert },
  good: { box: 'border-good/40 bg-good-soft text-good', icon: CircleCheck },
  info: { box: 'border-primary/30 bg-primary-soft text-primary', icon: Info },
};

interface AlertProps {
  tone?: Tone;
  title: ReactNode;
  children?: ReactNode;
  /** Buttons or links that solve the problem. */
  actions?: ReactNode;
  onClose?: () => void;
  className?: string;
  ref?: Ref<HTMLDivElement>;
}

/** A message that stays on the screen. Icon and text show the tone, not the colour alone. */
export function Alert({ tone = 'danger', title, children, actions, onClose, className, ref }: AlertProps) {
  const { box, icon: Icon } = looks[tone];
  return (
    <div
      ref={ref}
      role={tone === 'danger' ? 'alert' : 'status'}
      tabIndex={-1}
      className={clsx('flex items-start gap-2.5 rounded-lg border px-3 py-2.5', box, className)}
    >
      <Icon size={16} aria-hidden className="mt-0.5 shrink-0" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        {children && <div className="mt-0.5 text-ink">{children}</div>}
        {actions && <div className="mt-2 flex flex-wrap gap-2 text-ink">{actions}</div>}
      </div>
      {onClose && (
        <button type="button" aria-label="Close" className="rounded p-0.5 hover:bg-surface/60" onClick={onClose}>
          <X size={14} aria-hidden />
        </button>
      )}
    </div>
  );
}
