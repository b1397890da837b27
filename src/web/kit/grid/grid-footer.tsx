import {
  lazy,
  Suspense,
  useCallback,
  useContext,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { clsx } from 'clsx';
import {
  ChevronLeft,
  ChevronRight,
  ChevronsLeft,
  ChevronsRight,
  FileSpreadsheet,
  SlidersHorizontal,
} from 'lucide-react';
import { Button, IconButton } from '../ui/button.tsx';
import { DialogContext, topDialog } from '../ui/dialog-stack.ts';
import { dispatchKey, useKeyHelp } from '../ui/key-table.ts';
import { saveKeys } from './whole-list.ts';
import { SelectBox } from '../ui/select-field.tsx';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { pageKeys } from './grid-key-table.ts';
import type { GridViewPanelProps } from './grid-view-panel.tsx';
import type { GridPager } from './grid-types.ts';

/** The page sizes to choose from (docs/specification.md §3.4). */
const sizeOptions = [10, 20, 50, 100].map((size) => ({ value: String(size), label: String(size) }));
const fit = { value: '0', label: 'Fit to window' };
const sizeLabel = 'Rows per page';

type ViewMenuProps = Omit<GridViewPanelProps, 'button' | 'onClose'>;

interface GridFooterProps extends ViewMenuProps {
  pager: GridPager | undefined;
  /** false while the number of rows is unknown, because nothing is loaded yet or loading failed. */
  isCounted: boolean;
  /** Saves all rows as an Excel file. */
  onSave: (() => void) | undefined;
  /** Whether a key does the same. */
  hasSaveKey?: boolean;
  children?: ReactNode;
}

export function GridFooter({ pager, isCounted, onSave, hasSaveKey, children, ...view }: GridFooterProps) {
  return (
    // One line from 600 pixels on: long texts are truncated, so that the height of the table does not change.
    <footer className="@container border-t border-line">
      <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-1 px-3 py-1 @min-[37rem]:h-10 @min-[37rem]:flex-nowrap">
        <div className="flex min-w-0 flex-1 items-center gap-3 whitespace-nowrap">{children}</div>
        <p className="cd-sums nums" />
        {pager && <Pager {...pager} isCounted={isCounted} />}
        {onSave && (
          <IconButton
            size="sm"
            label="Download Excel"
            {...(hasSaveKey && { keys: saveKeys })}
            icon={<FileSpreadsheet size={15} aria-hidden />}
            onClick={onSave}
          />
        )}
        <GridViewMenu {...view} />
      </div>
    </footer>
  );
}

const GridViewPanel = lazy(() => import('./grid-view-panel.tsx'));

/** The button that opens the panel of columns and density. The panel loads when it is first opened. */
function GridViewMenu(props: ViewMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  return (
    <span className="relative">
      <IconButton
        ref={button}
        size="sm"
        label={props.density ? 'Columns and density' : 'Columns of the sheet'}
        icon={<SlidersHorizontal size={15} aria-hidden />}
        aria-expanded={isOpen}
        aria-haspopup="dialog"
        onClick={() => setOpen((open) => !open)}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <GridViewPanel {...props} button={button} onClose={close} />
        </Suspense>
      )}
    </span>
  );
}

/**
 * The singular of a noun: 'matches' → 'match', 'challans' → 'challan'. 'owners' stays, because the specification fixes
 * 'a-b of N owners' (docs/specification.md §9.1).
 */
const singular = (noun: string): string => (noun === 'owners' ? noun : noun.replace(/(?<=ch)es$|s$/, ''));

type RangePager = Pick<GridPager, 'page' | 'limit' | 'totalCount' | 'noun' | 'onRecount'>;

/** '11-20 of 87 owners'; while there is no count, '11-20, counting …' */
export function rangeText({ page, limit, totalCount, noun, onRecount }: RangePager): string {
  if (totalCount === undefined) {
    const range = `${formatCount((page - 1) * limit + 1)}-${formatCount(page * limit)}`;
    return `${range}, ${onRecount ? 'could not be counted' : 'counting …'}`;
  }
  const count = formatCount(totalCount);
  const name = noun ? ` ${totalCount === 1 ? singular(noun) : noun}` : '';
  if (totalCount === 0) return `0 of 0${name}`;
  const from = (page - 1) * limit + 1;
  const to = Math.min(page * limit, totalCount);
  if (from > totalCount) return `0 of ${count}${name}`;
  return `${formatCount(from)}-${formatCount(to)} of ${count}${name}`;
}

function Pager({ isCounted, ...pager }: GridPager & { isCounted: boolean }) {
  const { page, limit, totalCount, hasNext = false, onRecount, onPage, onLimit, withShift = false, isFit } = pager;
  const sizeId = useId();
  const range = useRef<HTMLSpanElement>(null);
  /** The last page that Next can reach. */
  const last = totalCount === undefined ? page + Number(hasNext) : Math.max(1, Math.ceil(totalCount / limit));
  const previousReason = page <= 1 ? 'This is the first page' : undefined;
  const nextReason = page >= last ? 'This is the last page' : undefined;
  const lastReason =
    totalCount !== undefined || !hasNext ? nextReason : onRecount ? 'The rows could not be counted' : 'Still counting';

  const keys = withShift ? pageKeys.shifted : pageKeys.plain;
  useKeyHelp('Table', keys);
  const dialog = useContext(DialogContext);
  useLayoutEffect(() => {
    // The keys change the page from anywhere on the screen or in the dialog that has the list, also from a field.
    const onKey = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || topDialog() !== dialog) return;
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
  }, [page, last, onPage, keys, dialog]);

  return (
    <nav
      aria-label={pager.noun ? `Pages of ${pager.noun}` : 'Pages'}
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
      <span ref={range} role="status" tabIndex={-1} className="nums min-w-28 text-right whitespace-nowrap">
        {isCounted && rangeText(pager)}
      </span>
      {onRecount && (
        <Button
          size="sm"
          onClick={() => {
            // The button goes away, and the focus must not be lost with it.
            range.current?.focus();
            onRecount();
          }}
        >
          Retry
        </Button>
      )}
      <span className="flex items-center">
        <IconButton
          size="sm"
          label="First page"
          icon={<ChevronsLeft size={15} aria-hidden />}
          disabledReason={previousReason}
          onClick={() => onPage(1)}
        />
        <IconButton
          size="sm"
          label="Previous page"
          keys={keys.previous.keys}
          icon={<ChevronLeft size={15} aria-hidden />}
          disabledReason={previousReason}
          onClick={() => onPage(page - 1)}
        />
        <IconButton
          size="sm"
          label="Next page"
          keys={keys.next.keys}
          icon={<ChevronRight size={15} aria-hidden />}
          disabledReason={nextReason}
          onClick={() => onPage(page + 1)}
        />
        <IconButton
          size="sm"
          label="Last page"
          icon={<ChevronsRight size={15} aria-hidden />}
          disabledReason={lastReason}
          onClick={() => onPage(last)}
        />
      </span>
    </nav>
  );
}
