import type { ScreenId } from '../../../shared/contract/nouns.ts';
import type { ScreenHelp } from '../../kit/actions/help-text.ts';

export const importHelp = {
  import: {
    purpose:
      'Bring in owners, trucks, tags, petrol pumps and past challans from a file or from copied cells. Nothing is saved before you have seen the check.',
    jobs: [
      {
        title: 'Import a table',
        steps: [
          'Choose the records, then press `O` for a file, or `Ctrl+V` with the cells copied. `T` downloads a template to fill in.',
          'Say which column is which field, and press `Ctrl+Enter` to check the rows.',
          'Press `Ctrl+Enter` again to import the rows without errors.',
        ],
      },
      {
        title: 'Fix rows with errors after the check',
        steps: [
          'Press `F8`: the next row with an error opens.',
          'Change its fields and press `Ctrl+S`; all rows are checked again.',
        ],
      },
      {
        title: 'Bring in challans of the past',
        steps: [
          'Import owners, trucks, tags and petrol pumps first; then choose Past Challans.',
          'Add a column Paid On: challans with a date in it are imported as paid, together with their payments.',
          'After the check, names that are not found are listed once each: create them, or map them to others.',
        ],
      },
    ],
  },
  pastImports: {
    purpose: 'Imports, entry sheets and changes of many records, newest first, each with a way to undo it.',
    jobs: [
      {
        title: 'Undo an import, a sheet or a change',
        steps: [
          'Go to its row and press `U`.',
          'Confirm with `Ctrl+Enter`. Records that have changed since then stay as they are and are listed.',
        ],
      },
      {
        title: 'Find an older one',
        steps: ['Press `Alt+PgDn` for the next page, `Alt+PgUp` for the one before.'],
      },
      {
        title: 'Copy a number',
        steps: ['Go to its cell with the arrow keys.', 'Press `Ctrl+C`.'],
      },
    ],
  },
} as const satisfies Partial<Record<ScreenId, ScreenHelp>>;
