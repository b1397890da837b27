import { useContext, useId, useLayoutEffect, type ReactNode } from 'react';
import { clsx } from 'clsx';
import { ChevronLeft, ChevronRight, ChevronsLeft, ChevronsRight } from 'lucide-react';
import { IconButton } from '../ui/button.tsx';
import { DialogContext } from '../ui/dialog-stack.ts';
import { dispatchKey, useKeyHelp } from '../ui/key-table.ts';
import { SelectBox } from '../ui/select-field.tsx';
import type { TableControls } from './ag-table.tsx';
import { pageKeys } from './grid-key-table.ts';
import { GridViewMenu } from './grid-view-menu.tsx';
import type { Density } from './grid-settings.ts';
import type { GridPager } from './grid-types.ts';

/** The page sizes one may choose (docs/specification.md §3.4). */
const sizeOptions = [10, 20, 50, 100].map((size) => ({ value: String(size), label: String(size) }));
const fit = { value: '0', label: 'Fit to window' };
const sizeLabel = 'Rows per page';

interface GridFooterProps {
  pager: GridPager | undefined;
  /** false: how many there are is not known, because nothing has come yet or it failed. */
  isCounted: boolean;
  density: Density;
  onDensity: (density: Density) => void;
  controls: TableControls | undefined;
  children?: ReactNode;
}

export function GridFooter({ pager, isCounted, density, onDensity, controls, children }: GridFooterProps) {
  return (
    // One line from 600 pixels on, whatever is selected: the words give way, and the table keeps its height.
    <footer className="@container border-t border-line">
      <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 px-3 py-1 @min-[37rem]:h-10 @min-[37rem]:flex-nowrap">
        <div className="flex min-w-0 flex-1 items-center gap-3 whitespace-nowrap">{children}</div>
        {pager && <Pager {...pager} isCounted={isCounted} />}
        <GridViewMenu density={density} onDensity={onDensity} controls={controls} />
      </div>
    </footer>
  );
}

/**
 * One of them: 'matches' → 'match', 'challans' → 'challan'. 'a-b of N owners' is the specification's own
 * (docs/specification.md §9.1).
 */
const singular = (noun: string): string => (noun === 'owners' ? noun : noun.replace(/(?<=ch)es$|s$/, ''));

/** '11-20 of 87 owners' */
export function rangeText({
  page,
  limit,
  totalCount,
  noun,
}: Pick<GridPager, 'page' | 'limit' | 'totalCount' | 'noun'>): string {
  const count = totalCount.toLocaleString('en-IN');
  const name = noun ? ` ${totalCount === 1 ? singular(noun) : noun}` : '';
  if (totalCount === 0) return `0 of 0${name}`;
  const from = (page - 1) * limit + 1;
  const to = Math.min(page * limit, totalCount);
  if (from > totalCount) return `0 of ${count}${name}`;
  return `${from.toLocaleString('en-IN')}-${to.toLocaleString('en-IN')} of ${count}${name}`;
}

function Pager({ isCounted, ...pager }: GridPager & { isCounted: boolean }) {
  const { page, limit, totalCount, onPage, onLimit, withShift = false, isFit } = pager;
  const sizeId = useId();
  const last = Math.max(1, Math.ceil(totalCount / limit));
  const atStart = page <= 1 ? 'This is the first page' : undefined;
  const atEnd = page >= last ? 'This is the last page' : undefined;

  const keys = withShift ? pageKeys.shifted : pageKeys.plain;
  // A list inside a dialog has commands of its own for its pages.
  useKeyHelp('Table', useContext(DialogContext) === undefined ? keys : undefined);
  useLayoutEffect(() => {
    // They turn the list's page from anywhere on the screen, a field included.
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || document.querySelector('[role="dialog"][aria-modal], [role="alertdialog"]')) return;
      const isUsed = dispatchKey(keys, event, {
        previous: () => {
          if (page > 1) onPage(page - 1);
        },
        next: () => {
          if (page < last) onPage(page + 1);
        },
      });
      if (isUsed) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [page, last, onPage, keys]);

  return (
    <nav
      aria-label="Pages"
      className="flex flex-wrap items-center gap-3 text-xs @min-[37rem]:shrink-0 @min-[37rem]:flex-nowrap"
    >
      <span className="flex items-center gap-1.5 text-muted">
        <label htmlFor={sizeId}>{sizeLabel}</label>
        <SelectBox
          id={sizeId}
          label={sizeLabel}
          className={clsx('nums h-7! text-xs', isFit === undefined ? 'w-16!' : 'w-30!')}
          value={isFit ? fit.value : String(limit)}
          onValueChange={(size) => onLimit(Number(size))}
          options={isFit === undefined ? sizeOptions : [fit, ...sizeOptions]}
        />
      </span>
      <span role="status" className="nums min-w-28 text-right whitespace-nowrap">
        {isCounted && rangeText(pager)}
      </span>
      <span className="flex items-center">
        <IconButton
          size="sm"
          label="First page"
          icon={<ChevronsLeft size={15} aria-hidden />}
          disabledReason={atStart}
          onClick={() => onPage(1)}
        />
        <IconButton
          size="sm"
          label="Previous page"
          keys={keys.previous.keys}
          icon={<ChevronLeft size={15} aria-hidden />}
          disabledReason={atStart}
          onClick={() => onPage(page - 1)}
        />
        <IconButton
          size="sm"
          label="Next page"
          keys={keys.next.keys}
          icon={<ChevronRight size={15} aria-hidden />}
          disabledReason={atEnd}
          onClick={() => onPage(page + 1)}
        />
        <IconButton
          size="sm"
          label="Last page"
          icon={<ChevronsRight size={15} aria-hidden />}
          disabledReason={atEnd}
          onClick={() => onPage(last)}
        />
      </span>
    </nav>
  );
}
