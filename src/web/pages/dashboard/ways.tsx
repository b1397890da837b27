import { Link } from 'react-router-dom';
import { FilePlus2, FileText, Landmark, type LucideIcon } from 'lucide-react';
import { Tooltip } from '../../ui/tooltip.tsx';

interface Way {
  to: string;
  label: string;
  keys: string;
  icon: LucideIcon;
}

const ways: readonly Way[] = [
  { to: '/challans/create', label: 'Add New Challan', keys: 'Alt+N', icon: FilePlus2 },
  { to: '/challans', label: 'Challans', keys: 'Alt+6', icon: FileText },
  { to: '/accounting/bank-statement', label: 'Bank Statement', keys: 'Alt+8', icon: Landmark },
];

/** Where a day's work begins, one click away. */
export function Ways() {
  return (
    <nav aria-label="Shortcuts" className="flex flex-wrap gap-2">
      {ways.map(({ to, label, keys, icon: Icon }) => (
        <Tooltip key={to} text={label} keys={keys} describes={false}>
          <Link
            to={to}
            className="inline-flex h-8 items-center gap-1.5 rounded-md border border-control/60 bg-surface px-3 font-medium text-ink no-underline hover:bg-hover"
          >
            <Icon size={14} aria-hidden className="text-primary" />
            {label}
          </Link>
        </Tooltip>
      ))}
    </nav>
  );
}
