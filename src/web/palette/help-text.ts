/**
 * What each screen is for and how its most common jobs are done (docs/specification.md §19.1). Between backticks: a key, as
 * docs/keyboard.md writes it.
 */
export interface ScreenHelp {
  /** One or two sentences. */
  purpose: string;
  jobs: readonly [Job, Job, Job];
  /** What a column or field means, where its heading does not say it. */
  terms?: readonly Term[];
  /** The screen shows net amounts: the help says how they are worked out. */
  hasNet?: true;
}

export interface Job {
  title: string;
  steps: readonly string[];
}

export type Term = readonly [label: string, meaning: string];

/** In the lists whose rows can be changed in one act. */
export const changeMany = (what: string): Job => ({
  title: 'Change many at once',
  steps: [
    'Select rows with `Space` or `Shift+↓`, or the whole page with `Ctrl+A`.',
    `Press \`M\`, choose what to do, and give the value: ${what}.`,
    'Read what would change, and press `Ctrl+Enter`.',
  ],
});
