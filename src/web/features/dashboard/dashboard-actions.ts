import { useActionTable } from '../../kit/actions/registry.ts';

/** The commands of the dashboard as data. */
const scope = 'Dashboard';

interface DashboardCommands {
  refresh: () => void;
  resetFilters: () => void;
  resetReason: string | undefined;
  chooseDates: () => void;
  showAgeing: () => void;
  showToday: () => void;
  sendToday: () => void;
  /** The end of a sentence; undefined: there are lines. */
  whyNoLines: string | undefined;
}

export function useDashboardActions(commands: DashboardCommands) {
  return useActionTable(scope, {
    today: {
      id: 'dashboard.today',
      label: 'Go to the lines of today',
      keys: 'T',
      words: 'morning waits due',
      disabledReason: commands.whyNoLines && `Nothing to go to: ${commands.whyNoLines}`,
      run: commands.showToday,
    },
    send: {
      id: 'dashboard.send-today',
      label: 'Send Today',
      keys: 'W',
      words: 'whatsapp text share',
      disabledReason: commands.whyNoLines && `Nothing to send: ${commands.whyNoLines}`,
      run: commands.sendToday,
    },
    dates: {
      id: 'dashboard.dates',
      label: 'Choose the dates',
      keys: '/',
      words: 'filter range deposited',
      run: commands.chooseDates,
    },
    reset: {
      id: 'dashboard.reset',
      label: 'Reset Filters',
      words: 'clear all',
      disabledReason: commands.resetReason,
      run: commands.resetFilters,
    },
    refresh: { id: 'dashboard.refresh', label: 'Refresh the figures', keys: 'R', run: commands.refresh },
    ageing: {
      id: 'dashboard.ageing',
      label: 'Go to owner ageing',
      keys: 'A',
      words: 'unpaid overdue debt',
      run: commands.showAgeing,
    },
  });
}
