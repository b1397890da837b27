import { recordListActions, type RecordListCommands } from './record-list.ts';
import { useActions, type Action } from './registry.ts';

export interface TagCommands extends RecordListCommands {
  checkUsage: () => void;
}

/** The commands of the tags screen as data. */
export function useTagActions(commands: TagCommands) {
  const words = { id: 'tags', scope: 'Tags', noun: 'tag', create: 'Add New Tag' };
  const actions = {
    ...recordListActions(words, commands),
    usage: {
      id: 'tags.usage',
      label: 'Check Usage',
      keys: 'U',
      scope: 'Tags',
      inPalette: false,
      run: commands.checkUsage,
    },
  } satisfies Record<string, Action>;
  useActions(Object.values(actions));
  return actions;
}
