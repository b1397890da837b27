import type { ScreenId } from '../../../shared/contract/nouns.ts';
import { addRecord, changeMany, type ScreenHelp } from '../../kit/actions/help-text.ts';

export const masterDataHelp = {
  tags: {
    purpose:
      'Tags group challans as your books need it. Every challan has one, and the dashboard adds up the amounts of each.',
    jobs: [
      addRecord('a tag'),
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
  trucks: {
    purpose:
      'Your trucks and their owners. When you type a vehicle number in a challan, its owner is filled in from this list.',
    jobs: [
      addRecord('a truck'),
      {
        title: 'Find a truck and change it',
        steps: [
          'Press `/` and type a part of the truck number or of the owner name.',
          'Press `↓` to go into the table. `I` keeps the details of the row beside the list.',
          'Press `E`, change the fields and press `Ctrl+S`.',
        ],
      },
      changeMany('the wheels or the owner'),
    ],
  },
  petrolPumps: {
    purpose:
      'The petrol pumps where your trucks take diesel (HSD). A challan needs a pump before liters can be entered.',
    jobs: [
      addRecord('a petrol pump'),
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
} as const satisfies Partial<Record<ScreenId, ScreenHelp>>;
