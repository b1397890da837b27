import { listKeys, searchAction } from './record-list.ts';
import { useActions, type Action } from './registry.ts';

export interface CopyOwnersCommands {
  copy: () => void;
  copyReason: string | undefined;
  count: number;
  clear: () => void;
  focusSearch: () => void;
}

/** The commands of copying owners as data. */
export function useCopyOwnersActions({ copy, copyReason, count, clear, focusSearch }: CopyOwnersCommands) {
  const id = 'copy-owners';
  const scope = 'Copy Owners';
  const nothing = (): void => undefined;
  const byGrid = { scope, inPalette: false, handledElsewhere: true, run: nothing } as const;
  const actions = {
    copy: {
      id: `${id}.copy`,
      label: `Copy Selected Owners (${count})`,
      keys: 'C',
      scope,
      disabledReason: copyReason,
      run: copy,
    },
    clear: {
      id: `${id}.clear`,
      label: 'Clear the selection',
      scope,
      disabledReason: copyReason,
      run: clear,
    },
    search: searchAction(id, scope, focusSearch),
    view: { id: `${id}.open`, label: 'View owner', keys: 'Enter', ...byGrid },
    select: { id: `${id}.select`, label: 'Select the owner', keys: 'Space', ...byGrid },
    range: { id: `${id}.range`, label: 'Select several owners', keys: ['Shift+↓', 'Shift+↑'], ...byGrid },
    all: { id: `${id}.all`, label: 'Select the page', keys: 'Ctrl+A', ...byGrid },
    none: { id: `${id}.none`, label: 'Clear the selection', keys: 'Esc', ...byGrid },
    ...listKeys(id, scope),
  } satisfies Record<string, Action>;
  useActions(Object.values(actions));
  return actions;
}

/** Inside the owner's details: S selects it, as Space does in the table. */
export function useCardViewActions(isChosen: boolean, toggle: () => void) {
  const choose: Action = {
    id: 'copy-owners.choose',
    label: isChosen ? 'Remove from selection' : 'Select for copying',
    keys: 'S',
    scope: 'Details',
    run: toggle,
  };
  useActions([choose]);
  return { choose };
}
