import { commandTable } from '../../kit/actions/registry.ts';

/** The commands of the dashboard as data. */
export const dashboardCommands = commandTable('Dashboard', {
  today: { id: 'dashboard.today', label: 'Go to the lines of today', keys: 'T', words: 'morning waits due' },
  send: { id: 'dashboard.send-today', label: 'Send Today', keys: 'W', words: 'whatsapp text share' },
  dates: { id: 'dashboard.dates', label: 'Choose the dates', keys: '/', words: 'filter range deposited' },
  reset: { id: 'dashboard.reset', label: 'Reset Filters', words: 'clear all' },
  refresh: { id: 'dashboard.refresh', label: 'Refresh the figures', keys: 'R' },
  ageing: { id: 'dashboard.ageing', label: 'Go to owner ageing', keys: 'A', words: 'unpaid overdue debt' },
});
