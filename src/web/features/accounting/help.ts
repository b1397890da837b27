import type { ScreenId } from '../../../shared/contract/nouns.ts';
import { challanChanges, changeMany, type ScreenHelp } from '../../kit/actions/help-text.ts';

export const accountingHelp = {
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
        title: 'Lock the books up to a day',
        steps: [
          'Press `g z` to close a whole month with its pack. Or press `L`, type the last day of the month, and press `Ctrl+Enter`. Money, weights and days up to it stay as they are.',
          'To correct something later, choose “Lift the lock for some hours” under Act, type hours and reason, and press `Ctrl+Enter`. It locks again by itself.',
          '“Changed while open” lists what was changed meanwhile, by whom and why.',
        ],
      },
    ],
  },
  ownerChallans: {
    purpose:
      'All challans of one owner, to download or to send to the owner. The cards add up every challan of the filter, not only this page.',
    jobs: [
      {
        title: 'Send the owner a report by WhatsApp',
        steps: [
          'Press `/` and set the filters, such as unpaid or a range of days.',
          'Press `Alt+W`: WhatsApp opens with the text and a link, which works for 72 hours.',
          'Send it there.',
        ],
      },
      {
        title: 'Download the challans, or add them up',
        steps: [
          'Set the filters; `F` shows and hides them.',
          'Press `Ctrl+Shift+E` for Excel, or `Ctrl+E` for CSV.',
          '`B` adds them up by month; there `B` chooses route, vehicle or another group, and `Alt+←` leads back.',
        ],
      },
      changeMany(challanChanges),
    ],
    terms: [
      ['TP No.', 'The number of the transit pass.'],
      ['Deposited Date', 'The day on which the challan was deposited. “Not deposited”: none is known yet.'],
      ['Net Amount', 'What is due to the owner for this challan, calculated as below.'],
      ['Payment Status', '“Paid” once the challan was marked as paid, one by one or in a payment; else “Unpaid”.'],
    ],
    hasNet: true,
  },
  ownerStatement: {
    purpose:
      'What an owner is owed and why: the opening balance, every challan, payment and hold of a period, the closing balance.',
    jobs: [
      {
        title: 'Give the owner a statement',
        steps: [
          'Press `/` and choose the days; without them it is everything until today.',
          'Press `P`: the statement gets a number and its PDF is saved. Later changes do not alter it.',
        ],
      },
      {
        title: 'Download an earlier statement again',
        steps: ['Press `L` and move to the statement.', 'Press `Enter` for the PDF, or `Ctrl+Shift+E` for Excel.'],
      },
      {
        title: 'Enter or correct the opening balance',
        steps: [
          'Press `B`, type the day, who owes and how much.',
          'Press `Ctrl+Enter`. The last entry counts, and the earlier ones stay listed.',
        ],
      },
    ],
  },
  closeMonth: {
    purpose:
      'What is open before a month is closed, the lock of its days, and the pack for the accountant: register, payments, balances, ageing, TDS, HSD, shortages and control totals.',
    jobs: [
      {
        title: 'Look at what is open',
        steps: [
          'Press `M` and choose the month; it begins with the last one.',
          'Press `Tab` to a line and `Enter`: its list opens with the filter. What is done has a tick.',
        ],
      },
      {
        title: 'Close the month',
        steps: [
          'Press `L` and then `Ctrl+Enter`. The books are locked up to its last day, and the pack is made and saved.',
          'Only an owner closes a month; accountants and auditors download packs.',
        ],
      },
      {
        title: 'Download a pack again',
        steps: [
          'Go to its row and press `Enter`. It is the same bytes each time, whatever changed since.',
          'After a change of the month, close it again: the new pack has a number of its own and differs.',
        ],
      },
    ],
  },
  tally: {
    purpose:
      'Files that Tally imports: a journal of each owner and day, or of each challan, and a voucher of each payment. Nobody at Tally has certified them: import into a copy of the company first.',
    jobs: [
      {
        title: 'Begin: the names of the ledgers',
        steps: [
          'Press `S`. Press `Alt+R` and choose a list of the ledgers of Tally, or its masters exported as XML: names are proposed.',
          'Correct what differs, and press `Ctrl+Enter`.',
          'Press `M` for a file of the ledgers that Tally does not have yet, and import it there first.',
        ],
      },
      {
        title: 'Give Tally a month',
        steps: [
          'Press `N`, type the first and the last day, and press `Ctrl+Enter`. The file is saved.',
          'Import it in Tally. The same file twice changes nothing there.',
        ],
      },
      {
        title: 'Download a file again',
        steps: ['Go to its row and press `Enter`. It is the same bytes each time, whatever changed since.'],
      },
    ],
  },
  tallyChanged: {
    purpose: 'Challans and payments that are not in Tally as they are now, although they or their days went out.',
    jobs: [
      {
        title: 'Bring Tally up to date',
        steps: [
          'Press `N` and then `Ctrl+Enter`: a file of what is listed is saved. Import it in Tally.',
          'A voucher of which nothing is left is deleted there.',
        ],
      },
      {
        title: 'See what was deleted or taken back',
        steps: ['Press `/` and choose it under What. `N` then makes a file of these alone.'],
      },
      { title: 'Open a challan or payment', steps: ['Go to its row and press `Enter`.'] },
    ],
  },
  openingBalances: {
    purpose: 'What many owners were owed when you began, apart from their challans. You paste it from a spreadsheet.',
    jobs: [
      {
        title: 'Enter the opening balances of many owners',
        steps: [
          'Copy the columns owner, day, balance and note in the spreadsheet.',
          'Press `Ctrl+V` here, and look at the column Check: every row must be right.',
          'Press `Ctrl+Enter`.',
        ],
      },
      {
        title: 'Fix a row with an error',
        steps: [
          'The column Check says what is wrong.',
          'Correct it in the spreadsheet, and copy and paste all rows again.',
        ],
      },
      {
        title: 'Correct one owner',
        steps: [
          'Go to Accounting with `g a`, and press `S` on the row of the owner.',
          'Press `B`, type the balance, and press `Ctrl+Enter`.',
        ],
      },
    ],
  },
} as const satisfies Partial<Record<ScreenId, ScreenHelp>>;
