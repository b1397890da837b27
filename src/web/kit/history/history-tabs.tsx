import { useEffect, useRef, useState, type ReactNode } from 'react';
import { recordTabsCommands } from '../actions/record-list.ts';
import { useCommands } from '../actions/registry.ts';
import { Tabs } from '../ui/tabs.tsx';
import { HistoryList, type HistoryOf } from './history-list.tsx';

interface HistoryTabsProps {
  of: HistoryOf;
  /** The content of the tab 'Details'. */
  children: ReactNode;
}

/** The tabs 'Details' and 'History' of a record's dialog. The history loads when its tab is first opened. */
export function HistoryTabs({ of, children }: HistoryTabsProps) {
  const [tab, setTab] = useState<'details' | 'history'>('details');
  const [minHeight, setMinHeight] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const show = (next: typeof tab): void => {
    // The dialog keeps the height of the details, so that its buttons do not move.
    if (tab === 'details' && box.current) {
      setMinHeight(Math.min(box.current.offsetHeight, visibleHeightOf(box.current)));
    }
    setTab(next);
  };
  const shown = tab === 'history' ? of.id : tab;
  const lastShown = useRef(shown);
  useEffect(() => {
    if (lastShown.current === shown) return;
    lastShown.current = shown;
    // Start at the top: the scroll position belonged to the previous tab or record.
    const body = box.current?.parentElement;
    if (body) body.scrollTop = 0;
  }, [shown]);
  /** Switches by key. The focused element is removed with its tab panel, so the tab itself gets the focus. */
  const go = (next: typeof tab): void => {
    show(next);
    const index = next === 'details' ? 0 : 1;
    box.current?.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus();
  };
  useCommands(recordTabsCommands, {
    previous: {
      disabledReason: tab === 'details' ? 'This is the first tab.' : undefined,
      run: () => go('details'),
    },
    next: { disabledReason: tab === 'history' ? 'This is the last tab.' : undefined, run: () => go('history') },
  });
  return (
    <div ref={box} className="-mt-2" style={tab === 'history' ? { minHeight } : undefined}>
      <Tabs
        label="Parts of this record"
        value={tab}
        follow
        onValueChange={show}
        tabs={[
          { value: 'details', label: 'Details', content: children },
          { value: 'history', label: 'History', content: <HistoryList of={of} /> },
        ]}
      />
    </div>
  );
}

/** The height that a dialog's body shows without scrolling. */
function visibleHeightOf(box: HTMLElement): number {
  const body = box.parentElement;
  if (!body) return 0;
  const { paddingTop, paddingBottom } = getComputedStyle(body);
  const around = [paddingTop, paddingBottom, getComputedStyle(box).marginTop];
  return around.reduce((room, pixels) => room - Number.parseInt(pixels, 10), body.clientHeight);
}
