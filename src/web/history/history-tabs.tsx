import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useRecordTabsActions } from '../actions/record-list.ts';
import { Tabs } from '../ui/tabs.tsx';
import { HistoryList, type HistoryOf } from './history-list.tsx';

interface HistoryTabsProps {
  of: HistoryOf;
  /** The tab 'Details'. */
  children: ReactNode;
}

/** 'Details | History' of a record's dialog. The details come first; the history is asked for when it is opened. */
export function HistoryTabs({ of, children }: HistoryTabsProps) {
  const [tab, setTab] = useState<'details' | 'history'>('details');
  const [least, setLeast] = useState(0);
  const box = useRef<HTMLDivElement>(null);
  const show = (next: typeof tab): void => {
    // The dialog stays as high as its details, so that its buttons are where they were.
    if (tab === 'details' && box.current) setLeast(Math.min(box.current.offsetHeight, roomOf(box.current)));
    setTab(next);
  };
  const shown = tab === 'history' ? of.id : tab;
  const lastShown = useRef(shown);
  useEffect(() => {
    if (lastShown.current === shown) return;
    lastShown.current = shown;
    // Where the last one was read to says nothing about this one.
    const body = box.current?.parentElement;
    if (body) body.scrollTop = 0;
  }, [shown]);
  /** By key: what had the focus goes with its tab, so the tab itself takes it. */
  const go = (next: typeof tab): void => {
    show(next);
    const index = next === 'details' ? 0 : 1;
    box.current?.querySelectorAll<HTMLElement>('[role="tab"]')[index]?.focus();
  };
  useRecordTabsActions({
    previous: () => go('details'),
    next: () => go('history'),
    previousReason: tab === 'details' ? 'This is the first tab.' : undefined,
    nextReason: tab === 'history' ? 'This is the last tab.' : undefined,
  });
  return (
    <div ref={box} className="-mt-2" style={tab === 'history' ? { minHeight: least } : undefined}>
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

/** What a dialog's body shows without being scrolled. */
function roomOf(box: HTMLElement): number {
  const body = box.parentElement;
  if (!body) return 0;
  const { paddingTop, paddingBottom } = getComputedStyle(body);
  const around = [paddingTop, paddingBottom, getComputedStyle(box).marginTop];
  return around.reduce((room, pixels) => room - Number.parseInt(pixels, 10), body.clientHeight);
}
