import { useActions, type Action } from './registry.ts';

export interface RecordTabsCommands {
  previous: () => void;
  next: () => void;
  atFirst: string | undefined;
  atLast: string | undefined;
}

/** Alt+PgUp and Alt+PgDn go to the previous and next part of a screen, here its tabs (docs/keyboard.md §4). */
export function useRecordTabsActions({ previous, next, atFirst, atLast }: RecordTabsCommands): void {
  const scope = 'Details';
  useActions([
    { id: 'record.tab-up', label: 'Previous tab', keys: 'Alt+PgUp', scope, disabledReason: atFirst, run: previous },
    { id: 'record.tab-down', label: 'Next tab', keys: 'Alt+PgDn', scope, disabledReason: atLast, run: next },
  ] satisfies Action[]);
}
