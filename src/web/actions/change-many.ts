import type { Action } from './registry.ts';

export interface ChangeManyCommands {
  selectedCount: number;
  /** One act on the selected challans is chosen and done. */
  change: () => void;
}

/** M, on every list of challans. */
export const changeManyAction = (id: string, scope: string, { selectedCount, change }: ChangeManyCommands): Action => ({
  id: `${id}.change`,
  label: 'Change the selected challans',
  keys: 'M',
  scope,
  words: 'bulk many tag rate deposited place office',
  disabledReason: selectedCount === 0 ? 'Select challans first: Space, Shift+↓ or Ctrl+A' : undefined,
  run: change,
});
