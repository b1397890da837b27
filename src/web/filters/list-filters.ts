import { lazy } from 'react';
import type { FilterTable } from '../../shared/filters/define.ts';
import type { ListFilters } from '../records/record-list.tsx';

// Loaded only by lists that have filters.
const Panel = lazy(() => import('./filter-panel.tsx').then((part) => ({ default: part.FilterPanel })));
const Words = lazy(() => import('./filter-chips.tsx').then((part) => ({ default: part.FilterWords })));

/** The filters of a list of records. */
export const listFilters = (table: FilterTable): ListFilters => ({ table, Panel, Words });
