import type { ScreenId } from '../../../shared/screen-names.ts';
import { changeMany, type Job, type ScreenHelp } from './help-text.ts';

const add = (noun: string): Job => ({
  title: `Add ${noun}`,
  steps: ['Press `N`.', 'Fill in the fields; `Tab` goes to the next one.', 'Press `Ctrl+S` to save.'],
});

/** The help of all other screens. */
export const officeHelp = {
  dashboard: {
    purpose:
      'Your challans in figures: amounts and weights by tag and by week, and what is unpaid, by owner and age. Each figure opens the challans that it counts.',
    jobs: [
      {
        title: 'See the figures of a period',
        steps: ['Press `/` to go to the dates.', 'Type the first and the last day; `Tab` goes to the next field.'],
      },
      {
        title: 'See what is unpaid, and how long',
        steps: [
          'Press `A` to go to Owner Ageing, and `Tab` to go into its table.',
          'Go to a figure with the arrow keys and press `Enter`: its challans open.',
        ],
      },
      {
        title: 'Bring the figures up to date',
        steps: ['Press `R`.'],
      },
    ],
  },
  subadmins: {
    purpose: 'The businesses that use this product. Each signs in with its own account and sees its own books only.',
    jobs: [
      add('a business'),
      {
        title: 'Give a business a new password',
        steps: [
          'Go to its row and press `E`.',
          'Type the new password. If you leave it empty, the password stays as it is.',
          'Press `Ctrl+S`.',
        ],
      },
      {
        title: 'Stop a business from signing in',
        steps: [
          'Go to its row and press `A`.',
          'Confirm with `Ctrl+Enter`. Its users are signed out at once; `A` lets them sign in again.',
        ],
      },
    ],
  },
  owners: {
    purpose: 'The owners of the trucks, with the bank details that the bank statement uses for payments.',
    jobs: [
      add('an owner'),
      {
        title: 'Find an owner and change the details',
        steps: [
          'Press `/` and type a part of name, contact, account, PAN or truck number.',
          'Press `↓` to go into the table, and `E` on the row.',
          'Change the fields and press `Ctrl+S`.',
        ],
      },
      {
        title: "See an owner's trucks",
        steps: ['Go to the row of the owner.', 'Press `T`.'],
      },
    ],
  },
  tags: {
    purpose:
      'Tags group challans as your books need it. Every challan has one, and the dashboard adds up the amounts of each.',
    jobs: [
      add('a tag'),
      {
        title: 'See how many challans have a tag',
        steps: ['Go to the row of the tag.', 'Press `U`.'],
      },
      {
        title: 'Set the colour of many tags',
        steps: [
          'Select them with `Space` or `Shift+↓`.',
          'Press `M` and choose the colour.',
          'Check the preview, and press `Ctrl+Enter`.',
        ],
      },
    ],
  },
  copiedOwners: {
    purpose: 'Which owners were copied from one business to another, when and by whom.',
    jobs: [
      {
        title: 'See who copied your owners',
        steps: ['Look at the columns From and To. If From is your business, the business under To copied the owner.'],
      },
      {
        title: 'Find an older one',
        steps: ['Press `Alt+PgDn` for the next page, `Alt+PgUp` for the one before.'],
      },
      {
        title: 'Copy a name',
        steps: ['Go to its cell with the arrow keys.', 'Press `Ctrl+C`.'],
      },
    ],
  },
  copyOwners: {
    purpose:
      'Owners of other businesses that you can copy into your list, with their trucks. Until then account numbers, PAN and phones are shown only in part.',
    jobs: [
      {
        title: 'Copy owners',
        steps: [
          'Go to an owner and press `Space`. Repeat this for every owner that you want.',
          'Press `C`.',
          'Check the number of owners and trucks, and press `Ctrl+Enter`.',
        ],
      },
      {
        title: 'Find an owner',
        steps: [
          'Press `/` and type a part of owner name, truck number or business.',
          'Press `↓` to go into the table.',
        ],
      },
      {
        title: 'Look at an owner first',
        steps: [
          'Go to the row and press `Enter`.',
          'Press `S` to select the owner, or to remove it from the selection.',
          'Press `Esc` to close.',
        ],
      },
    ],
  },
  trucks: {
    purpose:
      'Your trucks and their owners. When you type a vehicle number in a challan, its owner is filled in from this list.',
    jobs: [
      add('a truck'),
      {
        title: 'Find a truck and change it',
        steps: [
          'Press `/` and type a part of the truck number or of the owner name.',
          'Press `↓` to go into the table, and `E` on the row.',
          'Change the fields and press `Ctrl+S`.',
        ],
      },
      changeMany('the wheels or the owner'),
    ],
  },
  accounting: {
    purpose: 'What each owner is owed and was paid; choose one to see its challans.',
    jobs: [
      {
        title: "Open an owner's challans",
        steps: [
          'Press `/` and type at least 2 characters of the name.',
          'Press `↓` to go into the table.',
          'Press `C` on the row.',
        ],
      },
      {
        title: 'Find what an owner was paid, and for which trips',
        steps: [
          'On any screen press `Ctrl+K` and type a part of the name or the phone.',
          'Press `↓` to its payments, and `Enter`.',
          'Or, in this list, press `P` on the row; `→` shows the newest payments below it.',
        ],
      },
      {
        title: 'See which reports were sent to owners',
        steps: ['Press `g w`, or the button Shared Reports.'],
      },
    ],
  },
  payments: {
    purpose: 'Every marking of challans as paid is kept here as a payment, with its file and a way to undo it.',
    jobs: [
      {
        title: 'See what a payment paid',
        steps: ['Go to its row and press `Enter`.', '`Ctrl+↓` and `Ctrl+↑` go to the next and the previous payment.'],
      },
      {
        title: 'Get the file of a payment again',
        steps: ['Go to its row.', 'Press `Ctrl+Shift+E` for Excel, or `Ctrl+E` for CSV.'],
      },
      {
        title: 'Undo a payment',
        steps: [
          'Go to its row and press `U`.',
          'Type the reason.',
          'Press `Ctrl+Enter`: the challans that it still pays become unpaid again.',
        ],
      },
    ],
  },
  sharedReports: {
    purpose: 'The reports that were sent to owners by WhatsApp: who got which file, and until when its link works.',
    jobs: [
      {
        title: 'End a link early',
        steps: ['Go to its row and press `R`.', 'Confirm with `Ctrl+Enter`. This cannot be undone.'],
      },
      {
        title: "Go to the owner's challans",
        steps: ['Go to the row of the report.', 'Press `Enter`.'],
      },
      {
        title: 'Send a report',
        steps: [
          'Press `g a` to go to Accounting.',
          'Go to the owner and press `C`.',
          'Set the filters and press `Alt+W`.',
        ],
      },
    ],
  },
  petrolPumps: {
    purpose:
      'The petrol pumps where your trucks take diesel (HSD). A challan needs a pump before liters can be entered.',
    jobs: [
      add('a petrol pump'),
      {
        title: 'Change a petrol pump',
        steps: ['Go to its row and press `E`.', 'Change the fields and press `Ctrl+S`.'],
      },
      {
        title: 'Delete a petrol pump',
        steps: ['Go to its row and press `Delete`.', 'Confirm with `Ctrl+Enter`. Challans that have it keep its name.'],
      },
    ],
  },
  hsdVerification: {
    purpose:
      'Check the diesel (HSD) amounts of your challans against the file of a petrol pump, and mark those that match as verified.',
    jobs: [
      {
        title: 'Check a file',
        steps: [
          'Press `Enter` on the drop zone and choose a .csv, .xlsx, .xls, .ods or .txt file with the columns TP No and Amount, or press `Ctrl+V` with the file copied.',
          'If the columns are not recognised, choose them from the first rows and press `Ctrl+Enter`. With a petrol pump chosen this is remembered.',
          'Look at the results: the tabs name what matches, what differs and what was not found.',
        ],
      },
      {
        title: 'Mark the matches as verified',
        steps: [
          'Under Valid Matches select rows with `Space`, or leave all unselected to take them all.',
          'Press `Ctrl+Enter`.',
        ],
      },
      {
        title: 'Check the next file',
        steps: ['Press `N` for a new verification.', 'Choose the file as before.'],
      },
    ],
  },
  pumpLedger: {
    purpose: 'What each petrol pump billed in a month, how much of it is verified, and how much is disputed.',
    jobs: [
      {
        title: 'Find a petrol pump',
        steps: ['Press `/` and type its name.', 'Each line is one month, the newest first.'],
      },
      {
        title: 'Settle what is not verified yet',
        steps: ['Go to HSD Verification with `g h`.', "Upload the pump's bill again and verify its matches."],
      },
      {
        title: 'Settle what is disputed',
        steps: [
          'In the results of the bill press `D` for the sheet of discrepancies and send it to the pump.',
          'Accept rows with a reason, or upload the corrected bill: of each TP number the newest bill counts.',
        ],
      },
    ],
  },
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
  profile: {
    purpose: 'The details of your business, your password, and where you are signed in.',
    jobs: [
      {
        title: 'Change the details',
        steps: ['Press `E`.', 'Change the fields and press `Ctrl+S`; `Esc` cancels.'],
      },
      {
        title: 'Change the password',
        steps: ['Press `P`.', 'Type the current password once and the new one twice.', 'Press `Ctrl+S`.'],
      },
      {
        title: 'End a session on another device',
        steps: [
          'Go to its button “Sign out” with `Tab`, press `Enter`, and confirm with `Ctrl+Enter`.',
          'For all others press the button “Sign out everywhere else”, or find it with `Ctrl+K`.',
        ],
      },
    ],
  },
} as const satisfies Partial<Record<ScreenId, ScreenHelp>>;

/** The help of the admin's dashboard, which is another screen at the same path. */
export const adminDashboardHelp: ScreenHelp = {
  purpose: 'How many businesses use this product, and how many owners each may copy from the others in a day.',
  jobs: [
    {
      title: 'Go to the businesses',
      steps: ['Press `Alt+2`, or `g s`.'],
    },
    {
      title: 'Set how many owners may be copied',
      steps: ['Type the number of owners per day; 0 turns copying off.', 'Press `Enter` to save.'],
    },
    {
      title: 'Find anything by its name',
      steps: ['Press `Ctrl+K` and type a part of it.', 'Choose with `↓` and press `Enter`.'],
    },
  ],
};
