import type { ScreenId } from '../../../shared/contract/nouns.ts';
import type { ScreenHelp } from '../../kit/actions/help-text.ts';

export const sharedReportsHelp = {
  sharedReports: {
    purpose: 'The reports that were sent to owners by WhatsApp: who got which file, and until when its link works.',
    jobs: [
      {
        title: 'End a link early',
        steps: ['Go to its row and press `R`.', 'Confirm with `Ctrl+Enter`. This cannot be undone.'],
      },
      {
        title: "Go to the owner's challans",
        steps: ['Go to the row of the report.', 'Press `Enter`.'],
      },
      {
        title: 'Send a report',
        steps: [
          'Press `g a` to go to Accounting.',
          'Go to the owner and press `C`.',
          'Set the filters and press `Alt+W`.',
        ],
      },
    ],
  },
} as const satisfies Partial<Record<ScreenId, ScreenHelp>>;
