import type { ScreenId } from '../../../shared/contract/nouns.ts';
import type { ScreenHelp } from '../../kit/actions/help-text.ts';

export const bankHelp = {
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
} as const satisfies Partial<Record<ScreenId, ScreenHelp>>;
