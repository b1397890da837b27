import type { ScreenId } from '../../../shared/contract/nouns.ts';
import { addRecord, type ScreenHelp } from '../../kit/actions/help-text.ts';

export const subadminsHelp = {
  subadmins: {
    purpose: 'The businesses that use this product. Each signs in with its own account and sees its own books only.',
    jobs: [
      addRecord('a business'),
      {
        title: 'Give a business a new password',
        steps: [
          'Go to its row and press `E`.',
          'Type the new password. If you leave it empty, the password stays as it is.',
          'Press `Ctrl+S`.',
        ],
      },
      {
        title: 'Stop a business from signing in',
        steps: [
          'Go to its row and press `A`.',
          'Confirm with `Ctrl+Enter`. Its users are signed out at once; `A` lets them sign in again.',
        ],
      },
    ],
  },
} as const satisfies Partial<Record<ScreenId, ScreenHelp>>;
