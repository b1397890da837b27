import type { ScreenId } from '../../../shared/screen-names.ts';
import type { ScreenHelp } from './help-text.ts';

/** The help of the screens for banks and owners: files, accounts, layouts, answers, statements. */
export const bankHelp = {
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
  bankFiles: {
    purpose: 'The files that were made for the bank, and what it has answered to their lines.',
    jobs: [
      {
        title: 'Make a bank file',
        steps: [
          'Go to Payments with `g y`, and press `B` on the row of the payment.',
          'Choose account and layout. `Space` leaves a line out, `R` changes its route.',
          'Read the preview, and press `Ctrl+Enter`. The file is downloaded.',
        ],
      },
      {
        title: 'Download a file again',
        steps: ['Go to its row and press `Ctrl+E`. The file is exactly the same each time.'],
      },
      {
        title: 'Send lines again',
        steps: [
          'Go to the row of the file and press `U`.',
          'Enter the reason and press `Ctrl+Enter`: lines without an answer can go into another file.',
        ],
      },
    ],
  },
  tds: {
    purpose:
      'What was deducted as TDS in a financial year or a quarter: a line for each PAN and percentage. The text beside the title says which day counts.',
    jobs: [
      {
        title: 'See the deductions of a quarter',
        steps: [
          'Press `g x`, then `/` and choose year and quarter.',
          'Go to a line and press `Enter`: its challans, each with its payment.',
        ],
      },
      {
        title: 'Find owners without a PAN',
        steps: ['Choose “Without PAN” under PAN. Each of these owners has lines of its own.'],
      },
      {
        title: 'Choose the day that counts, section and thresholds',
        steps: ['Press `S`, change the fields, and press `Ctrl+Enter`.'],
      },
    ],
  },
  tdsDeductions: {
    purpose: 'The challans behind the TDS register: all of them, or those of one line.',
    jobs: [
      {
        title: 'Open a challan or its payment',
        steps: ['Go to its row and press `Enter` for the challan, `P` for the payment.'],
      },
      {
        title: 'Find what was deducted of a trip',
        steps: ['Press `/`, choose year and quarter, and type the challan, its TP number or its owner.'],
      },
      {
        title: 'Share the deductions',
        steps: ['Press `Ctrl+E` for a CSV, or `Ctrl+Shift+E` for Excel: one line for each deduction.'],
      },
    ],
  },
  bankLayouts: {
    purpose:
      'What the file of a bank looks like: its name, and the fields of each line. Changing a layout that comes with the product makes a copy of it.',
    jobs: [
      {
        title: 'Make your own layout',
        steps: [
          'Choose the layout that is most like what your bank describes.',
          'Go through the fields with `Tab`; `Alt+↑` and `Alt+↓` move the field that has the focus, `N` adds one.',
          'Give it a name and press `Ctrl+S`.',
        ],
      },
      {
        title: 'Try it on a payment',
        steps: ['Choose a payment under Try it on.', 'Read the preview: it is exactly what the file would be.'],
      },
      {
        title: 'Take it to another business',
        steps: ['Press `Ctrl+E` to save it as a file.', 'Press `I` there and choose the file.'],
      },
    ],
    terms: [
      ['Length', 'The maximum length of a field; 0 means no limit. Amounts, accounts and references are never cut.'],
      ['Source', 'Where the value comes from. A fixed text is the same in every line.'],
    ],
  },
  bankAccounts: {
    purpose: 'The accounts that owners are paid from, each with the layout of its bank file and its limits.',
    jobs: [
      {
        title: 'Add a bank account',
        steps: ['Press `N`.', 'Fill in the fields; `Tab` goes to the next one.', 'Press `Ctrl+S` to save.'],
      },
      {
        title: 'Change a limit or the layout',
        steps: ['Go to the row of the account and press `E`.', 'Change the fields and press `Ctrl+S`.'],
      },
      {
        title: 'Try a layout',
        steps: [
          'Make a bank file of one small payment with `B` in Payments.',
          'Upload it, and ask your bank whether it was read.',
        ],
      },
    ],
    terms: [['Client Code', 'The bank’s code for your business. It is part of the file name.']],
  },
  bankLines: {
    purpose:
      'The lines of bank files that the bank has not answered yet, the oldest first. You can also list the answered ones.',
    jobs: [
      {
        title: 'See what the bank has not answered',
        steps: ['Press `g n`: the lines without an answer, with the days since their file and their sum.'],
      },
      {
        title: 'Find a line by UTR, reference, owner or payment',
        steps: ['Press `/` and type a part of it.', 'Choose “All” under State to find answered lines too.'],
      },
      {
        title: 'Record what the bank answered',
        steps: ['Press `g v`: reverse file, pasted rows or the statement of the account.'],
      },
    ],
  },
  bankAnswer: {
    purpose:
      'Compare the bank’s answers with the payments that were sent. Answers come from its reverse file, pasted rows, or the statement of the account. Nothing is accepted before you have seen it.',
    jobs: [
      {
        title: 'Bring in the statement of the account',
        steps: [
          'Choose the account, then press `O` and choose the file, or drop it on the screen.',
          'Confirm with `Ctrl+Enter`. Lines that were added before are not added again.',
          'Press `Ctrl+Enter` to accept all sure matches, and once more to confirm.',
          'Follow “1 failed: pay again” above the list to the owner in the bank statement.',
        ],
      },
      {
        title: 'Choose the payment of a line that is not sure',
        steps: [
          'Go to its row and press `Enter`.',
          'Choose one of the payments with the arrow keys, and press `Ctrl+Enter`.',
        ],
      },
      {
        title: 'Set aside a line that is not yours',
        steps: ['Go to its row and press `S`.', 'Type a note and press `Ctrl+Enter`. `L` lists what was set aside.'],
      },
    ],
    terms: [
      [
        'Headings',
        'The row of a file that names its columns. Where it is not recognised, choose it and what each column is. Both are remembered for such files of the account.',
      ],
    ],
  },
  bankAnswers: {
    purpose: 'The accepted answers of the bank, newest first, each with a way to undo it.',
    jobs: [
      {
        title: 'Undo an accepted answer',
        steps: [
          'Go to its row and press `U`.',
          'Confirm with `Ctrl+Enter`. Challans that became unpaid are paid again.',
        ],
      },
      {
        title: 'See which challans a failed line made unpaid',
        steps: ['The row says how many and how much; they are in the bank statement again.'],
      },
      {
        title: 'Find an older one',
        steps: ['Press `Alt+PgDn` for the next page, `Alt+PgUp` for the one before.'],
      },
    ],
  },
} as const satisfies Partial<Record<ScreenId, ScreenHelp>>;
