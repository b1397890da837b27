import type { ScreenId } from '../../../shared/contract/nouns.ts';
import { addRecord, type ScreenHelp } from '../../kit/actions/help-text.ts';

export const ownersHelp = {
  owners: {
    purpose: 'The owners of the trucks, with the bank details that the bank statement uses for payments.',
    jobs: [
      addRecord('an owner'),
      {
        title: 'Find an owner and change the details',
        steps: [
          'Press `/` and type a part of name, contact, account, PAN or truck number.',
          'Press `↓` to go into the table. `I` keeps the details of the row beside the list.',
          'Press `E`, change the fields and press `Ctrl+S`.',
        ],
      },
      {
        title: "See an owner's trucks",
        steps: ['Go to the row of the owner.', 'Press `T`.'],
      },
    ],
    terms: [
      [
        'Not confirmed',
        'Somebody has changed the account, IFSC or name, and nothing is paid to the owner. Call the owner on a number that you know, press `C` on the row, and type the last four digits and the number that you called.',
      ],
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
} as const satisfies Partial<Record<ScreenId, ScreenHelp>>;
