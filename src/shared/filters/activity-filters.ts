import { dayFrom, dayTo, idOf } from './define.ts';

/** How many days are shown when none are chosen, today included. */
export const ACTIVITY_DAYS = 31;

/** The filters of what was done in a business (docs/specification.md §28.5). */
export const activityFilters = {
  personId: idOf('By', 'people'),
  startDate: dayFrom('Done', `Last ${ACTIVITY_DAYS} days`),
  endDate: dayTo('Done'),
};
