import type { ScreenId } from '../../../shared/contract/nouns.ts';
import type { ScreenHelp } from '../../kit/actions/help-text.ts';

export const paymentsHelp = {
  bankStatement: {
    purpose:
      'What each owner is owed: every unpaid challan, by owner, with the bank details. Here you mark many challans as paid at once.',
    jobs: [
      {
        title: 'Pay an owner',
        steps: [
          'Press `/`, type the name of the owner and press `Enter`.',
          'Go to the row of the owner in the table and press `Space`: all the challans of the owner are selected.',
          'Press `M`. Download the CSV first, and go on with `Ctrl+Enter` (Continue to Payment).',
          'Check owner, count and amount, and press `Ctrl+Enter` (Yes, Mark Selected as Paid).',
        ],
      },
      {
        title: 'Pay everything that matches a filter',
        steps: [
          'Set the dates or the tag.',
          'In the table press `Ctrl+A` twice: the page first, then all that match.',
          'Press `M`, and `Ctrl+Enter` in each of the two steps.',
        ],
      },
      {
        title: "Look at an owner's challans, or add up what is unpaid",
        steps: [
          'Go to the row of the owner; `→` shows the challans and `←` hides them. `*` shows those of all owners.',
          'Press `Enter` on a challan to open it in a new tab.',
          '`Shift+B` adds up all that match by owner; there `B` chooses route, tag or month, and `Alt+←` leads back.',
        ],
      },
    ],
    terms: [
      ['Material and Route', 'What was carried, from where to where. In the row of an owner: the account number.'],
      ['Loading', 'The day of loading. In the row of an owner: the IFSC.'],
      ['Deposited', 'The day on which the challan was deposited. “Not deposited”: none is known yet.'],
      ['Amount', 'The net amount of the challan, calculated as below. In the row of an owner: the unpaid sum.'],
      [
        'Status',
        'In the row of an owner, whether money can be transferred: “Ready”, “No account”, “No IFSC”, or “Negative” when the sum is below zero.',
      ],
    ],
    hasNet: true,
  },
  payments: {
    purpose: 'Every marking of challans as paid is kept here as a payment, with its file and a way to undo it.',
    jobs: [
      {
        title: 'See what a payment paid',
        steps: [
          'Go to its row and press `Enter`; `I` keeps the details of the row beside the list.',
          '`Ctrl+↓` and `Ctrl+↑` go to the next and the previous payment.',
          '`Shift+B` there adds up the challans that it pays by owner, route, or what you choose.',
        ],
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
  toRelease: {
    purpose:
      'Payments above the limit of the business: one person prepares, another releases. Nothing is paid before that.',
    jobs: [
      {
        title: 'Release a payment',
        steps: [
          'Go to its row and press `Enter`: you see who prepared it, and the amount.',
          'Press `R`, and confirm with `Ctrl+Enter`.',
        ],
      },
      {
        title: 'Release a payment without some of its owners',
        steps: [
          'Go to its row and press `O`.',
          'Choose the owners to leave out with `Space`, and type the reason.',
          'Press `Ctrl+Enter` twice: the others are paid.',
        ],
      },
      {
        title: 'Send a payment back, or withdraw your own',
        steps: [
          'Go to the row. Press `B` to send it back, and type what is wrong.',
          'Press `W` to withdraw what you have prepared yourself.',
          'Confirm with `Ctrl+Enter`. The challans can be prepared again.',
        ],
      },
    ],
  },
} as const satisfies Partial<Record<ScreenId, ScreenHelp>>;
