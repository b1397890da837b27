import { createContext, type ReactNode } from 'react';

/** The icon of the open screen, for a list that has nothing yet. */
export const ScreenIcon = createContext<ReactNode>(null);

interface EmptyStateProps {
  icon?: ReactNode;
  /** Why the list is empty. */
  title: ReactNode;
  children?: ReactNode;
  /** What the user can do next: create, clear the filters, retry. */
  actions?: ReactNode;
}

export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-10 text-center">
      {icon && <span className="grid size-10 place-items-center rounded-full bg-sunken text-muted">{icon}</span>}
      <div className="font-semibold">{title}</div>
      {children && <div className="max-w-prose text-muted">{children}</div>}
      {actions && <div className="mt-1 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}
