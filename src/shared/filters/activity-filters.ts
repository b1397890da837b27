import { dayFrom, dayTo, idOf } from './define.ts';

/** The filters of what was done in a business (docs/specification.md §28.5). */
export const activityFilters = {
  personId: idOf('By', 'people'),
  startDate: dayFrom('Done'),
  endDate: dayTo('Done'),
};
