import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { clsx } from 'clsx';

interface FigureLinkProps {
  to: string;
  className?: string;
  title?: string;
  children: ReactNode;
}

/**
 * A figure in a table that links to the list it counts. The link has no Tab stop of its own: the grid cell has the
 * focus, and Enter on the cell follows the link.
 */
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
