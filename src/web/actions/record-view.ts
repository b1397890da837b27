import { useActions, type Action } from './registry.ts';

export interface RecordViewCommands {
  noun: string;
  edit: () => void;
  remove: () => void;
  removeReason: string | undefined;
}

/** The keys of a record's details; called inside the dialog, so that they belong to it. */
export function useRecordViewActions({ noun, edit, remove, removeReason }: RecordViewCommands) {
  const scope = 'Details';
  const actions = {
    edit: { id: 'record.edit', label: `Edit ${noun}`, keys: ['E', 'F2'], scope, run: edit },
    remove: {
      id: 'record.delete',
      label: `Delete ${noun}`,
      keys: 'Delete',
      scope,
      disabledReason: removeReason,
      run: remove,
    },
  } satisfies Record<string, Action>;
  useActions(Object.values(actions));
  return actions;
}
