import type { Action } from './registry.ts';

/** What a master-data list can do (design, keyboard.md, "Master-data screens"). */
export interface RecordListCommands {
  create: () => void;
  edit: () => void;
  remove: () => void;
  focusSearch: () => void;
}

interface Words {
  /** 'owners' */
  id: string;
  scope: string;
  /** 'owner' */
  noun: string;
  create: string;
}

const nothing = (): void => undefined;

export function recordListActions({ id, scope, noun, create }: Words, commands: RecordListCommands) {
  const inList = { scope, inPalette: false } as const;
  return {
    create: { id: `${id}.new`, label: create, keys: 'N', scope, words: 'new create', run: commands.create },
    search: searchAction(id, scope, commands.focusSearch),
    view: {
      id: `${id}.open`,
      label: `View ${noun}`,
      keys: 'Enter',
      ...inList,
      handledElsewhere: true,
      run: nothing,
    },
    edit: { id: `${id}.edit`, label: `Edit ${noun}`, keys: ['E', 'F2'], ...inList, run: commands.edit },
    remove: {
      id: `${id}.delete`,
      label: `Delete ${noun}`,
      keys: 'Delete',
      notWhileTyping: true,
      ...inList,
      run: commands.remove,
    },
    ...listKeys(id, scope),
  } satisfies Record<string, Action>;
}

export const searchAction = (id: string, scope: string, run: () => void): Action => ({
  id: `${id}.search`,
  label: `Search ${scope.toLowerCase()}`,
  keys: '/',
  scope,
  words: 'find filter',
  run,
});

/** What the grid does itself, for the cheat-sheet. */
export function listKeys(id: string, scope: string) {
  const byGrid = { scope, inPalette: false, handledElsewhere: true, run: nothing } as const;
  return {
    enter: { id: `${id}.enter`, label: 'From the search into the table', keys: '↓', ...byGrid },
    copyCell: { id: `${id}.copy-cell`, label: 'Copy the cell', keys: 'Ctrl+C', ...byGrid },
    pages: { id: `${id}.pages`, label: 'Previous and next page', keys: ['Alt+PgUp', 'Alt+PgDn'], ...byGrid },
  } satisfies Record<string, Action>;
}
