import { useActions, type Action } from './registry.ts';

/** The commands of the shared reports page as data. */
const scope = 'Shared Reports';
const nothing = (): void => undefined;
const byGrid = { scope, inPalette: false, handledElsewhere: true, run: nothing } as const;

export interface SharedReportCommands {
  revoke: () => void;
}

export function useSharedReportActions(commands: SharedReportCommands) {
  const actions = {
    open: { id: 'shared-reports.open', label: "Open the owner's challans", keys: 'Enter', ...byGrid },
    revoke: {
      id: 'shared-reports.revoke',
      label: 'Revoke link',
      keys: 'R',
      scope,
      inPalette: false,
      run: commands.revoke,
    },
    pages: { id: 'shared-reports.pages', label: 'Previous and next page', keys: ['Alt+PgUp', 'Alt+PgDn'], ...byGrid },
    copy: { id: 'shared-reports.copy', label: 'Copy the cell', keys: 'Ctrl+C', ...byGrid },
  } satisfies Record<string, Action>;
  useActions(Object.values(actions));
  return actions;
}
