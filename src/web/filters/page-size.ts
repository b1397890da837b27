import { useEffect, useReducer, useState } from 'react';
import { getSession, preferencePrefix } from '../api/session-store.ts';
import { densityChosen, densityMemory, rowHeights } from '../grid/grid-settings.ts';
import { readPreference, writePreference } from '../session/account-storage.ts';
import { fitToWindow, leastRows, mostRows, pageSizeOf } from './filter-values.ts';

/**
 * Pixels of the window that are not rows of a list: header, title, search or filters, headings, totals, footer. A list that
 * shares its screen with other things starts with the least.
 */
const around: Readonly<Record<string, number>> = {
  challans: 325,
  'owner-challans': 420,
  'bank-statement': 434,
  // With a bar to scroll sideways at 1366.
  payments: 341,
  'bank-lines': 341,
  tds: 325,
  'tds-deductions': 325,
  'shared-reports': 204,
  trucks: 248,
  tags: 248,
  'petrol-pumps': 248,
  'copy-owners': 248,
  dashboard: Infinity,
  'hsd-uploads': Infinity,
};
const usuallyAround = 285;

/** As many rows as the window shows without scrolling, but no fewer than ten (docs/specification.md §3.4). */
function fittingRows(list: string): number {
  const height = rowHeights[densityMemory.read(preferencePrefix(getSession()?.user.id ?? 'nobody'))];
  const rows = Math.floor((window.innerHeight - (around[list] ?? usuallyAround)) / height);
  return Math.min(mostRows, Math.max(leastRows, rows));
}

/**
 * The page size of a list: that of its address, else the one last chosen on this screen, else as many rows as fit. What fits
 * is counted when the list is opened and when its user chooses another density: a page does not change under the user's hand
 * because the window does. Remembering draws nothing, since the address follows a moment later: drawn for both, the list would
 * be asked twice.
 */
export function usePageSize(memoryKey: string, inAddress: number) {
  const key = `${memoryKey}.page-size`;
  // What fitted before stays known: pages that were turned since carry it in their address.
  const [fitted, setFitted] = useState(() => [fittingRows(memoryKey)]);
  useEffect(
    () => densityChosen.subscribe(() => setFitted((before) => [fittingRows(memoryKey), ...before])),
    [memoryKey],
  );
  const fitting = fitted[0] ?? leastRows;
  const [, draw] = useReducer((count: number) => count + 1, 0);
  const remembered = pageSizeOf(readPreference(key, fitToWindow));
  const limit = inAddress || remembered || fitting;
  return {
    limit,
    /** The rows follow the window; pages that were turned carry the number in their address. */
    isFit: remembered === fitToWindow && (inAddress === 0 || fitted.includes(inAddress)),
    /** Remembers the size that was chosen; gives it for the address, which has none that follows the window. */
    choose: (size: number): number => {
      writePreference(key, pageSizeOf(size));
      // Nothing changes in an address that has no size.
      if (pageSizeOf(size) === fitToWindow && inAddress === 0) draw();
      return pageSizeOf(size);
    },
  };
}
