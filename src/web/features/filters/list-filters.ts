import type { FilterTable } from '../../../shared/filters/define.ts';
import type { ListFilters } from '../../kit/records/record-list.tsx';
import { FilterWords } from './filter-chips.tsx';
import { FilterPanel } from './filter-panel.tsx';

/** The filters of a list of records. */
export const listFilters = (table: FilterTable): ListFilters => ({ table, Panel: FilterPanel, Words: FilterWords });
