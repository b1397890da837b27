import type { ScreenId } from '../../../shared/contract/nouns.ts';
import type { ScreenHelp } from '../../kit/actions/help-text.ts';
import { seatNames, seats } from '../../../shared/contract/seats.ts';
import { seatTexts } from '../../../shared/contract/people.ts';

export const peopleHelp = {
  people: {
    purpose: 'The people of your business. Each signs in with an own password, and the seat says what they may do.',
    jobs: [
      {
        title: 'Invite somebody',
        steps: [
          'Press `N`, type the email and choose the seat.',
          'Press `Ctrl+S`. The link is shown once: copy it, or send it by WhatsApp.',
          'The person opens it within 48 hours and chooses a name and a password.',
        ],
      },
      {
        title: 'Switch somebody off',
        steps: [
          'Go to the row and press `A`.',
          'Confirm with `Ctrl+Enter`. All sessions end at once; `A` switches the person on again.',
        ],
      },
      {
        title: 'Help somebody who forgot the password, or lost the phone',
        steps: [
          'Password: go to the row, press `L`, confirm with `Ctrl+Enter`, and send the new link.',
          'Phone: go to the row, find “Reset second step” with `Ctrl+K`, and confirm with `Ctrl+Enter`.',
        ],
      },
    ],
    terms: [
      ...seats.map((seat) => [seatNames[seat], seatTexts[seat]] as const),
      [
        'Rule of Release',
        'Above which amounts one person prepares a payment and another releases it. A looser rule waits for another owner, or for 24 hours.',
      ],
    ],
  },
  activity: {
    purpose: 'What each person recorded, changed, paid and took back, day by day.',
    jobs: [
      {
        title: 'See what somebody did',
        steps: [
          'Go to a row and press `Enter`. Changes of people, rights and settings come first.',
          'Follow a link to the record or the payment.',
        ],
      },
      {
        title: 'See one person alone',
        steps: ['Press `/` and choose the person under By.'],
      },
      {
        title: 'See earlier days',
        steps: ['Press `/`, `Tab` to Done, and choose the days. Without days it is the last month.'],
      },
    ],
    terms: [['Taken back', 'Challans that were marked unpaid again, one by one or with their payment.']],
  },
} satisfies Partial<Record<ScreenId, ScreenHelp>>;
