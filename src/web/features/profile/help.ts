import type { ScreenId } from '../../../shared/screen-names.ts';
import type { ScreenHelp } from '../../kit/actions/help-text.ts';

export const profileHelp = {
  profile: {
    purpose: 'The details of your business, your password, and where you are signed in.',
    jobs: [
      {
        title: 'Change the details',
        steps: ['Press `E`.', 'Change the fields and press `Ctrl+S`; `Esc` cancels.'],
      },
      {
        title: 'Change the password',
        steps: ['Press `P`.', 'Type the current password once and the new one twice.', 'Press `Ctrl+S`.'],
      },
      {
        title: 'End a session on another device',
        steps: [
          'Go to its button “Sign out” with `Tab`, press `Enter`, and confirm with `Ctrl+Enter`.',
          'For all others press the button “Sign out everywhere else”, or find it with `Ctrl+K`.',
        ],
      },
    ],
  },
} as const satisfies Partial<Record<ScreenId, ScreenHelp>>;
