import { useLayoutEffect, useRef, type ComponentProps, type ReactNode } from 'react';
import { clsx } from 'clsx';

interface PageProps {
  title: ReactNode;
  /** Shown beside the title, such as a count or a chip. */
  aside?: ReactNode;
  /** Buttons at the right end of the title's row. */
  actions?: ReactNode;
  /**
   * The content fills the rest of the window: grids scroll, not the page. In a window that is too low (200 % zoom) the page
   * scrolls, so that nothing is squeezed.
   */
  fill?: boolean;
  children: ReactNode;
}

/** The grid fills the rest, with at least a few rows. The `after` element is the space below it. */
const fillLook = 'h-full pb-0! *:shrink-0 [&>.flex-1]:min-h-80 after:h-1 after:shrink-0';

/** The frame of every screen. A new screen focuses its heading, so that screen readers announce it. */
export function Page({ title, aside, actions, fill, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  // A layout effect, so that no key is lost between two screens. It runs after those of the screen's fields.
  useLayoutEffect(() => {
    const title = heading.current;
    // If a field of the screen has focused itself, it keeps the focus.
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

/** A part that may be longer than its place: with the focus in it the arrow keys scroll it. */
export const Scrolled = (props: ComponentProps<'div'>) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a part that scrolls needs the focus for it
  <div role="group" tabIndex={0} {...props} />
);
