import type { ScreenId } from '../../../shared/contract/nouns.ts';
import type { ScreenHelp } from '../../kit/actions/help-text.ts';

export const exceptionsHelp = {
  exceptions: {
    purpose:
      'What is unusual in the challans of some days: shortage, litres, weight, rates, days, trips that overlap, TP numbers twice, diesel without a trip, late entries. Each is held against what is usual in half a year, and has its effect in rupees; the largest comes first.',
    jobs: [
      {
        title: 'Look at what costs most',
        steps: [
          'Press `g u`. The first row has the largest effect; “Usual” and “It Is” say why it is here.',
          'Press `Enter` for its challan, or for all challans of its driver, vehicle or owner.',
        ],
      },
      {
        title: 'Say that something is fine',
        steps: [
          'Press `F` on its row, or select rows with `Space` first. Enter the reason and press `Ctrl+Enter`.',
          'It is hidden from now on. “Also later ones” hides the same of this vehicle on this route too.',
          'Choose “Also fine ones” under Fine to see it again, with the reason, and press `U` to take that back.',
        ],
      },
      {
        title: 'Find the route that loses most',
        steps: [
          'The bars are the shortage of the days by route. Click one, or go to it with `Tab` and press `Enter`: the list has only this route.',
          'Press `Ctrl+E` for a CSV, or `Ctrl+Shift+E` for Excel.',
        ],
      },
    ],
  },
} as const satisfies Partial<Record<ScreenId, ScreenHelp>>;
