import type { ScreenId } from '../../../shared/contract/nouns.ts';
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
        title: 'Keep others out of your account',
        steps: [
          'Press the button “Set Up Second Step”, scan the picture with an authenticator app, and type its code.',
          'Keep the ten recovery codes: each signs you in once without the phone.',
          'Sign out other devices one by one with their buttons, or all with “Sign out everywhere else”.',
        ],
      },
    ],
  },
} as const satisfies Partial<Record<ScreenId, ScreenHelp>>;
