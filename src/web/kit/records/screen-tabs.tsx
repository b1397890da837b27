import { Link, useLocation } from 'react-router-dom';
import { clsx } from 'clsx';
import type { ScreenId } from '../../../shared/contract/nouns.ts';
import { allScreens, isAt, screens } from '../../screens.ts';
import { refusalOfRight } from '../api/seat.ts';

/** The way between a screen and those that are part of it, as a row of tabs below the heading. Each is a link of its own. */
export function ScreenTabs({ of }: { of: ScreenId }) {
  const { pathname } = useLocation();
  const shown = allScreens.filter(
    ({ id, partOf, right }) => (id === of || partOf === of) && refusalOfRight(right) === undefined,
  );
  if (shown.length < 2) return null;
  return (
    <nav
      aria-label={screens[of].name}
      data-print="hide"
      className="-mt-1 flex shrink-0 gap-1 overflow-x-auto border-b border-line"
    >
      {shown.map(({ path, name }) => {
        const isOpen = isAt(pathname)(path);
        return (
          <Link
            key={path}
            to={path}
            aria-current={isOpen ? 'page' : undefined}
            className={clsx(
              '-mb-px flex h-9 items-center border-b-2 px-3 font-medium whitespace-nowrap no-underline -outline-offset-2',
              isOpen ? 'border-primary text-ink' : 'border-transparent text-muted hover:text-ink',
            )}
          >
            {name}
          </Link>
        );
      })}
    </nav>
  );
}
