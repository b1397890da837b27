import type { Action } from './registry.ts';

export interface ChallanStepCommands {
  previous: () => void;
  next: () => void;
  /** Why there is no further one that way. */
  atFirst: string | undefined;
  atLast: string | undefined;
  copy: () => void;
}

/** What each dialog of a challan's details has: the way to its neighbours, and its text (docs/keyboard.md §5). */
export function challanStepActions(scope: string, commands: ChallanStepCommands) {
  return {
    previous: {
      id: 'challan.previous',
      label: 'Previous challan',
      keys: 'Ctrl+↑',
      scope,
      disabledReason: commands.atFirst,
      run: commands.previous,
    },
    next: {
      id: 'challan.next',
      label: 'Next challan',
      keys: 'Ctrl+↓',
      scope,
      disabledReason: commands.atLast,
      run: commands.next,
    },
    copy: {
      id: 'challan.copy',
      label: 'Copy all fields as text',
      keys: 'Ctrl+C',
      scope,
      // Marked text is what the user means.
      when: () => (window.getSelection()?.toString() ?? '') === '',
      notWhileTyping: true,
      run: commands.copy,
    },
  } satisfies Record<string, Action>;
}
