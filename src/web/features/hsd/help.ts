import type { ScreenId } from '../../../shared/contract/nouns.ts';
import type { ScreenHelp } from '../../kit/actions/help-text.ts';

export const hsdHelp = {
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
          'Press `Ctrl+Enter`, and `N` for the next file.',
        ],
      },
      {
        title: 'Look at an earlier file',
        steps: [
          'Press `Enter` on its line under Past Verifications for its rows, as they were compared.',
          'Press `Enter` on a row for its challan, in a new tab.',
        ],
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
        steps: [
          'Press `Enter` on a line for its challans.',
          'Go to HSD Verification with `g h`.',
          "Upload the pump's bill again and verify its matches.",
        ],
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
} as const satisfies Partial<Record<ScreenId, ScreenHelp>>;
