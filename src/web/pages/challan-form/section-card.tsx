import { useId, type ReactNode } from 'react';
import { clsx } from 'clsx';

interface SectionCardProps {
  title: string;
  className?: string;
  children: ReactNode;
}

/** One of the form's four sections (part 2 §2.2). */
export function SectionCard({ title, className, children }: SectionCardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className={clsx('rounded-lg border border-line bg-surface px-4 pt-2.5 pb-1 shadow-card', className)}
    >
      <h2 id={id} className="mb-1.5 text-xs font-semibold">
        {title}
      </h2>
      {children}
    </section>
  );
}
