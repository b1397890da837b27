import type { Action } from '../actions/registry.ts';

/** The screen's own commands first, then the other screens, then what is the same everywhere. */
function placeOf({ id, scope }: Action): number {
  // Away from what is chosen often: it must not be hit by a slip of one row.
  if (id === 'shell.logout') return 3;
  if (scope === 'Everywhere') return 2;
  return scope === 'Go to' ? 1 : 0;
}

/** One entry for each act: where the screen and the shell both offer it, the screen's own words. */
export function ordered(actions: readonly Action[]): Action[] {
  const seen = new Set<string>();
  return actions
    .toSorted((a, b) => placeOf(a) - placeOf(b))
    .filter(({ id }) => {
      const isNew = !seen.has(id);
      seen.add(id);
      return isNew;
    });
}

/** Every typed word must begin some word of the action; labels that begin with the text come first. */
export function rank(actions: readonly Action[], text: string): Action[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...actions];
  const begins = text.trim().toLowerCase();
  return actions
    .filter((action) => {
      const own = `${action.label} ${action.words ?? ''} ${action.scope}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
      return words.every((word) => own.some((one) => one.startsWith(word)));
    })
    .toSorted(
      (a, b) => Number(b.label.toLowerCase().startsWith(begins)) - Number(a.label.toLowerCase().startsWith(begins)),
    );
}
