import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { clsx } from 'clsx';

interface FigureLinkProps {
  to: string;
  className?: string;
  title?: string;
  children: ReactNode;
}

/** A figure of a table that opens the list that makes it up. Its cell is the Tab stop; Enter there follows it. */
export function FigureLink({ to, className, title, children }: FigureLinkProps) {
  return (
    <Link
      to={to}
      tabIndex={-1}
      title={title}
      className={clsx('text-ink no-underline underline-offset-4 hover:text-primary hover:underline', className)}
    >
      {children}
    </Link>
  );
}
