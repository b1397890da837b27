import { recordListActions, type RecordListCommands } from './record-list.ts';
import { useActions, type Action } from './registry.ts';

export interface SubadminCommands extends Omit<RecordListCommands, 'focusSearch'> {
  toggleActive: () => void;
}

const nothing = (): void => undefined;

/** The commands of sub-admin management as data; its list has no search (part 1 §7). */
export function useSubadminActions(commands: SubadminCommands) {
  const words = { id: 'subadmins', scope: 'Subadmins', noun: 'subadmin', create: 'Add New Subadmin' };
  const list = recordListActions(words, { ...commands, focusSearch: nothing });
  const actions = {
    create: list.create,
    view: list.view,
    edit: list.edit,
    toggle: {
      id: 'subadmins.toggle',
      label: 'Activate or deactivate subadmin',
      keys: 'A',
      scope: 'Subadmins',
      inPalette: false,
      run: commands.toggleActive,
    },
    remove: list.remove,
    copyCell: list.copyCell,
    pages: list.pages,
  } satisfies Record<string, Action>;
  useActions(Object.values(actions));
  return actions;
}
