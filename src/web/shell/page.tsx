import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { clsx } from 'clsx';

interface PageProps {
  title: ReactNode;
  /** Beside the title: a count, a chip. */
  aside?: ReactNode;
  /** Buttons at the right end of the title's row. */
  actions?: ReactNode;
  /**
   * The content takes what is left of the window: grids scroll inside, not the page. In a window too low for that (200 %
   * zoom) the page scrolls: nothing is squeezed until it overlaps its neighbour.
   */
  fill?: boolean;
  children: ReactNode;
}

/** The grid's place gets the rest, and never less than a few rows; the last element is the space below it. */
const fillLook = 'h-full pb-0! *:shrink-0 [&>.flex-1]:min-h-80 after:h-1 after:shrink-0';

/** The frame of every screen. A new screen takes the focus to its heading, so that a screen reader says where it is. */
export function Page({ title, aside, actions, fill, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // With the drawing, so that no key falls between two screens; the fields of the screen come first.
  useLayoutEffect(() => {
    const title = heading.current;
    // A field of the screen that focused itself has the better claim.
    if (title && !title.closest('main')?.contains(document.activeElement)) title.focus({ preventScroll: true });
  }, []);

  return (
    <div
      data-fill={fill ? '' : undefined}
      className={clsx('mx-auto flex w-full flex-col gap-3 px-5 py-4', fill ? fillLook : 'min-h-full')}
    >
      <div className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-3 gap-y-2">
        <h1 ref={heading} tabIndex={-1} className="text-base font-semibold outline-none">
          {title}
        </h1>
        {aside}
        <div
          data-print="hide"
          className="ml-auto flex flex-wrap items-center gap-2 [&>a]:mx-1 [&>a]:underline [&>a]:underline-offset-2"
        >
          {actions}
        </div>
      </div>
      {children}
    </div>
  );
}
