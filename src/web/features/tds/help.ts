import type { ScreenId } from '../../../shared/contract/nouns.ts';
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
  declarations: {
    purpose:
      'Declarations of owners from whom no tax is deducted, by financial year. While one is valid on the day of a challan (deposited, else loaded), its TDS percentage is 0 and not typed.',
    jobs: [
      {
        title: 'Enter a declaration',
        steps: [
          'Press `P` for a blank form that the owner signs; its wording is in TDS Settings.',
          'Press `N`, choose the owner, enter day, goods carriages and PAN as they are written, and press `Ctrl+S`.',
          'What does not fit the list of owners and trucks stands under “Look At”. Nothing is refused for it.',
        ],
      },
      {
        title: 'Withdraw a declaration',
        steps: [
          'Go to its row and press `W`. From today on tax is deducted again.',
          'For another day press `E` and enter it under “Withdrawn On”. Saved challans keep their figures.',
        ],
      },
      {
        title: 'Correct challans that differ',
        steps: [
          'The links beside the title count them. Open “deducted although declared”.',
          'Select the challans, press `M`, and choose “Set TDS to 0 by declaration”.',
          'The preview says by how much the net changes and how many are paid, which stay as they are. Press `Ctrl+Enter`.',
        ],
      },
    ],
  },
  tdsDeposits: {
    purpose:
      'Tax that was deposited with the government: what of each month is not deposited yet and until when it is due, and the deposits with the deductions that they cover.',
    jobs: [
      {
        title: 'Enter the deposit of a month',
        steps: [
          'Press `D` for the first month with an open amount, or the button in the row of a month.',
          'Enter BSR code and serial number of the bank’s challan, correct the amount, and press `Ctrl+S`.',
          'It covers what was deducted on its days and is not covered. What is deducted later stays open: enter its deposit with the same days.',
        ],
      },
      {
        title: 'Make the working for a return',
        steps: [
          'Press `/` and choose year and quarter.',
          'Press `Ctrl+E` for a CSV, or `Ctrl+Shift+E` for Excel: one line for each deduction, doubtful PANs first.',
          'Check it in your utility. Nobody has certified it.',
        ],
      },
      {
        title: 'Change until when tax is due',
        steps: ['Press `g x`, then `S`, and change the days under “Deposits of TDS”. Write down who says so.'],
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
