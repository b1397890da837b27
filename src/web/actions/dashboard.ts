import { useActions, type Action } from './registry.ts';

/** The commands of the dashboard as data. */
const scope = 'Dashboard';
const nothing = (): void => undefined;
const byPlot = { scope: 'Dashboard plots', inPalette: false, handledElsewhere: true, run: nothing } as const;

export interface DashboardCommands {
  refresh: () => void;
  resetFilters: () => void;
  resetReason: string | undefined;
  chooseDates: () => void;
  showAgeing: () => void;
}

export function useDashboardActions(commands: DashboardCommands) {
  const actions = {
    dates: {
      id: 'dashboard.dates',
      label: 'Choose the dates',
      keys: '/',
      scope,
      words: 'filter range deposited',
      run: commands.chooseDates,
    },
    reset: {
      id: 'dashboard.reset',
      label: 'Reset Filters',
      scope,
      words: 'clear all',
      disabledReason: commands.resetReason,
      run: commands.resetFilters,
    },
    refresh: { id: 'dashboard.refresh', label: 'Refresh the figures', keys: 'R', scope, run: commands.refresh },
    ageing: {
      id: 'dashboard.ageing',
      label: 'Go to owner ageing',
      keys: 'A',
      scope,
      words: 'unpaid overdue debt',
      run: commands.showAgeing,
    },
    walk: { id: 'dashboard.walk', label: 'From mark to mark', keys: ['←', '→', '↑', '↓'], ...byPlot },
    edge: { id: 'dashboard.edge', label: 'First and last mark', keys: ['Home', 'End'], ...byPlot },
    follow: { id: 'dashboard.follow', label: 'The challans behind the mark or figure', keys: 'Enter', ...byPlot },
  } satisfies Record<string, Action>;
  useActions(Object.values(actions));
  return actions;
}
