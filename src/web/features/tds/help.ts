import type { ScreenId } from '../../../shared/screen-names.ts';
import type { ScreenHelp } from '../../kit/actions/help-text.ts';

export const tdsHelp = {
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
} as const satisfies Partial<Record<ScreenId, ScreenHelp>>;
