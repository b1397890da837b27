import type { ScreenId } from '../../../shared/contract/nouns.ts';
import type { ScreenHelp } from '../../kit/actions/help-text.ts';

export const dashboardHelp = {
  dashboard: {
    purpose:
      'What the day asks for, and your challans in figures: amounts and weights by tag and by week, and what is unpaid, by owner and age. Each figure opens the challans that it counts.',
    jobs: [
      {
        title: 'Go through what the day asks for',
        steps: [
          'Press `T` to go to the lines of today, and `Tab` to the next figure.',
          'Press `Enter`: the list that the figure counts opens. `Alt+1` brings you back.',
          'Press `W` to send the lines as a text on WhatsApp.',
        ],
      },
      {
        title: 'See the figures of a period',
        steps: [
          'Press `/` to go to the dates.',
          'Type the first and the last day; `Tab` goes to the next field.',
          'Press `R` to bring the figures up to date.',
        ],
      },
      {
        title: 'See what is unpaid, and how long',
        steps: [
          'Press `A` to go to Owner Ageing, and `Tab` to go into its table.',
          'Go to a figure with the arrow keys and press `Enter`: its challans open.',
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
