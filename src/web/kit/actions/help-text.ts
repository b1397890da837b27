/**
 * The purpose of a screen and the steps of its most common jobs (docs/specification.md §19.1). A text between backticks is a
 * key, spelled as in docs/keyboard.md.
 */
export interface ScreenHelp {
  /** One or two sentences. */
  purpose: string;
  jobs: readonly [Job, Job, Job];
  /** The meaning of columns and fields whose headings do not explain themselves. */
  terms?: readonly Term[];
  /** The screen shows net amounts, so the help explains their calculation. */
  hasNet?: true;
}

export interface Job {
  title: string;
  steps: readonly string[];
}

export type Term = readonly [label: string, meaning: string];

/** The job "Change many at once", for lists that support it. */
export const changeMany = (what: string): Job => ({
  title: 'Change many at once',
  steps: [
    'Select rows with `Space` or `Shift+↓`, or the whole page with `Ctrl+A`.',
    `Press \`M\`, choose what to do, and enter the value: ${what}.`,
    'Check the preview, and press `Ctrl+Enter`.',
  ],
});

/** The job "Add", for lists whose records are added in a dialog. */
export const addRecord = (noun: string): Job => ({
  title: `Add ${noun}`,
  steps: ['Press `N`.', 'Fill in the fields; `Tab` goes to the next one.', 'Press `Ctrl+S` to save.'],
});

/** The bulk changes of a list of challans, for `changeMany`. */
export const challanChanges = 'tag, deposited date, rate and more';
