import { recordListActions, type RecordListCommands } from './record-list.ts';
import { useActions, type Action } from './registry.ts';

export interface OwnerCommands extends RecordListCommands {
  viewTrucks: () => void;
}

/** The commands of owner management as data. */
export function useOwnerActions(commands: OwnerCommands) {
  const words = { id: 'owners', scope: 'Owners', noun: 'owner', create: 'Add New Owner' };
  const actions = {
    ...recordListActions(words, commands),
    trucks: {
      id: 'owners.trucks',
      label: 'View trucks',
      keys: 'T',
      scope: 'Owners',
      inPalette: false,
      run: commands.viewTrucks,
    },
  } satisfies Record<string, Action>;
  useActions(Object.values(actions));
  return actions;
}
