import { lazy, Suspense, useCallback, useRef, useState } from 'react';
import { SlidersHorizontal } from 'lucide-react';
import { IconButton } from '../ui/button.tsx';
import type { GridViewPanelProps } from './grid-view-panel.tsx';

const GridViewPanel = lazy(() => import('./grid-view-panel.tsx'));

/** The button of the panel, which comes when it is first opened. */
export function GridViewMenu(props: Omit<GridViewPanelProps, 'button' | 'onClose'>) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  return (
    <span className="relative">
      <IconButton
        ref={button}
        size="sm"
        label="Columns and density"
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
