/** What the other features use of this one (docs/architecture.md §1). */
export { FilterChips, FilterWords } from './filter-chips.tsx';
export { FilterPanel } from './filter-panel.tsx';
export { listFilters } from './list-filters.ts';
export { TagFilter, useTagNames } from './tag-filter.tsx';
