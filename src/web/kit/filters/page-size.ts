import { useEffect, useReducer, useState } from 'react';
import { densityChosen, densityMemory, rowHeights } from '../grid/grid-settings.ts';
import { readPreference, writePreference } from '../api/account-storage.ts';
import { fitToWindow, leastRows, mostRows, pageSizeOf } from './filter-values.ts';

/**
 * The height in pixels that is not available for rows: header, title, search or filters, headings, totals, footer. Infinity
 * gives the smallest page size, for a list that shares its screen with other content.
 */
const usedHeights: Readonly<Record<string, number>> = {
  challans: 325,
  'challan-groups': 385,
  'owner-challans': 420,
  'bank-statement': 434,
  // Includes a horizontal scroll bar at a width of 1366.
  payments: 341,
  'bank-lines': 341,
  tds: 325,
  'tds-deductions': 325,
  'tally-changed': 289,
  'shared-reports': 204,
  trucks: 248,
  tags: 248,
  'petrol-pumps': 248,
  'copy-owners': 248,
  accounting: 305,
  exceptions: 500,
  dashboard: Infinity,
  'hsd-uploads': Infinity,
  'tds-deposits': Infinity,
  'close-month': Infinity,
};
const defaultUsedHeight = 285;

/** The number of rows that fit into the window without scrolling, at least ten (docs/specification.md §3.4). */
function fittingRows(list: string): number {
  const height = rowHeights[densityMemory.read()];
  const rows = Math.floor((window.innerHeight - (usedHeights[list] ?? defaultUsedHeight)) / height);
  return Math.min(mostRows, Math.max(leastRows, rows));
}

/**
 * The page size of a list: the one in its URL, otherwise the one last chosen on this screen, otherwise as many rows as fit.
 * What fits is computed when the list is opened and when the user chooses another density. It is not computed when the
 * window is resized, so that a page does not change unexpectedly. Choosing a size does not render by itself, because the URL
 * changes a moment later: rendering for both would request the list twice.
 */
export function usePageSize(memoryKey: string, inUrl: number) {
  const key = `${memoryKey}.page-size`;
  // Earlier values stay known, because the URL of a later page may still contain one.
  const [fitted, setFitted] = useState(() => [fittingRows(memoryKey)]);
  useEffect(
    () => densityChosen.subscribe(() => setFitted((before) => [fittingRows(memoryKey), ...before])),
    [memoryKey],
  );
  const fitting = fitted[0] ?? leastRows;
  const [, rerender] = useReducer((count: number) => count + 1, 0);
  const remembered = pageSizeOf(readPreference(key, fitToWindow));
  const limit = inUrl || remembered || fitting;
  return {
    limit,
    /** "Fit to window" is chosen. The URL may then still contain the number of rows that fitted. */
    isFit: remembered === fitToWindow && (inUrl === 0 || fitted.includes(inUrl)),
    /** Remembers the chosen size and returns the value for the URL, where 0 stands for "Fit to window". */
    choose: (size: number): number => {
      writePreference(key, pageSizeOf(size));
      // If the URL contains no size, it does not change and causes no render.
      if (pageSizeOf(size) === fitToWindow && inUrl === 0) rerender();
      return pageSizeOf(size);
    },
  };
}
