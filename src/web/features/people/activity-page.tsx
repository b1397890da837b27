import { useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { formatDate } from '../../../shared/calc/dates.ts';
import { activityColumns } from '../../../shared/columns/activity-columns.ts';
import type { ActivityDay, ActivityEntry } from '../../../shared/contract/activity.ts';
import { activityFilters } from '../../../shared/filters/activity-filters.ts';
import { camelCase } from '../../../shared/contract/define.ts';
import { recorded } from '../../../shared/contract/nouns.ts';
import type { FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { HistoryDialog } from '../../kit/history/history-dialog.tsx';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { activity } from '../../resources/activity.ts';
import { screens } from '../../screens.ts';
import { listFilters } from '../filters/index.ts';

type Noun = NonNullable<ActivityEntry['record']>['noun'];
/** The screen on which a record opens: that of its resource, and for the account of the business its profile. */
const screenOf = (noun: Noun) => (noun === 'subadmin' ? 'profile' : camelCase(recorded[noun]));

function RecordLink({ record }: Partial<Pick<ActivityEntry, 'record'>>) {
  if (!record) return null;
  const { noun, id, name } = record;
  return (
    <>
      {' '}
      <span className="text-muted">{noun.replace('-', ' ')}</span>{' '}
      <Link to={`${screens[screenOf(noun)].path}?open=${id}`} className="underline">
        {name}
      </Link>
    </>
  );
}

/** /profile/activity: what each person did on each day (docs/specification.md §28.5). */
export const ActivityPage = recordScreen<ActivityDay>({
  screen: 'activity',
  tabsOf: 'profile',
  noun: ['day', 'days'],
  columns: activityColumns,
  filters: listFilters(activityFilters),
  useRows: ({ page, limit, filters }) =>
    pageOf(
      activity.useList({
        // Safe: the address was parsed with the same filters.
        query: { page, limit, ...(filters as Partial<FilterTexts<typeof activityFilters>>) },
      }),
    ),
  failed: { list: 'Failed to fetch the activity' },
  empty: { title: 'Nothing was done in these days', text: 'Choose other days, or everybody.' },
  useMore: () => {
    const [open, setOpen] = useState<ActivityDay>();
    const rowCommands = useMemo(
      () => [{ id: 'entries', title: 'What somebody did on a day', label: 'Show', keys: 'Enter', run: setOpen }],
      [],
    );
    return {
      rowCommands,
      onOpen: setOpen,
      dialogs: open && (
        <HistoryDialog
          title={`${open.person} on ${formatDate(open.day)}`}
          of={{
            noun: 'activity',
            id: open.id,
            optionsOf: (page) =>
              activity.listEntriesOptions({ query: { ...page, personId: open.personId, day: open.day } }),
            about: (entry) => <RecordLink record={entry.record} />,
          }}
          onClose={() => setOpen(undefined)}
        />
      ),
    };
  },
});
