import type { ScreenId } from '../../../shared/contract/nouns.ts';
import { challanChanges, changeMany, type Job, type ScreenHelp, type Term } from '../../kit/actions/help-text.ts';

/** The calculation of the net amount (docs/specification.md §8.4.1), with the labels of the form. */
export const netAmount = {
  sum: 'Net Amount Payable = Freight − TDS Amount − HSD Amount − Advance Money − Material Shortage Amount − Office Charges',
  lines: [
    ['Freight', 'Rate per MT × the lesser of Loading Weight and Unloading Weight.'],
    ['TDS Amount', 'TDS Percentage of Freight; 0 without a percentage.'],
    ['HSD Amount', 'HSD Price per Liter × HSD in Liters.'],
    ['Advance Money', 'As typed.'],
    [
      'Material Shortage Amount',
      '(Difference Weight − Discount Weight) × Material Rate per MT; 0 when that is below zero, or when there is no difference or no rate.',
    ],
    ['Office Charges', 'As typed.'],
    ['Shortage Amount', '(Difference Weight − Discount Weight) × Rate per MT, or 0. It is shown only, not deducted.'],
  ],
  note: 'Each line is rounded to two decimals before it is deducted. Without both weights and the rate the net amount is not known: “—”.',
} as const satisfies { sum: string; lines: readonly Term[]; note: string };

const tpNo: Term = ['TP No', 'The number of the transit pass.'];
const discounter: Term = ['Discounter', 'Another owner of your list, named on the challan. It changes no amount.'];
const differenceWeight: Term = [
  'Difference Weight',
  'Loading Weight − Unloading Weight: above zero is a shortage, below zero an excess.',
];
const discountWeight: Term = [
  'Discount Weight',
  'The part of the difference that is not charged as a shortage, in MT.',
];
const materialRate: Term = [
  'Material Rate per MT',
  'The price at which a shortage of material is charged. Only the amount is kept with the challan, not this rate.',
];
const hsdInLiters: Term = ['HSD in Liters', 'The diesel taken. It needs a petrol pump.'];

const formTerms: readonly Term[] = [
  tpNo,
  discounter,
  differenceWeight,
  hsdInLiters,
  discountWeight,
  ['Shortage Amount', 'Shown only: it is not deducted from the net amount.'],
  materialRate,
  ['TDS Percentage', 'Filled in with the percentage last used for this owner.'],
  ['Payment Done', 'The owner has been paid for this challan.'],
  ['Deposited On', 'The day on which the challan was deposited.'],
];

const fixErrors: Job = {
  title: 'Fix errors',
  steps: [
    'Press `Ctrl+S`: the errors are listed at the top and shown at each field.',
    'Press `F8` to go to the next field with an error, and correct it.',
    'Press `Ctrl+S` again.',
  ],
};

export const challansHelp = {
  challans: {
    purpose:
      'All challans of the business. Find them here, look at them, mark them as paid or HSD verified, export them, and add them up by owner, month, route and more with Group By.',
    jobs: [
      {
        title: 'Find a challan',
        steps: [
          'Press `/` and type at least 3 characters of the TP number.',
          'Press `↓` to go into the table.',
          'Press `Enter` to look at the challan, or `E` to edit it. `I` keeps the details beside the list.',
        ],
      },
      {
        title: 'Mark challans as paid',
        steps: [
          'For one challan, go to its row and press `P`; press it again to unmark it.',
          'For several, select them with `Space`, `Shift+↓` or `Ctrl+A`, and press `P`.',
          'Check the count and the amount, and press `Ctrl+Enter`.',
        ],
      },
      changeMany(challanChanges),
    ],
    terms: [
      tpNo,
      ['Tag', 'Your own label for grouping challans. The dashboard adds up the amounts of each tag.'],
      ['Deposited Date', 'The day on which the challan was deposited. “Pending”: none is known yet.'],
      ['Net Amount', 'What is due to the owner for this challan, calculated as below.'],
      ['Paid', 'The owner has been paid for it. Each marking is kept under Payments.'],
      [
        'HSD Verified',
        'The diesel was checked against the bill of the petrol pump. Only a challan with a petrol pump can have it.',
      ],
    ],
    hasNet: true,
  },
  createChallan: {
    purpose: 'Enter new challans, one after another. Values that often stay the same are kept for the next challan.',
    jobs: [
      {
        title: 'Enter a challan',
        steps: [
          'Type the TP number and press `Enter` to go to the next field.',
          'Type the vehicle number and press `Enter`: the owner comes with it. If the truck is not found, `Alt+C` creates it.',
          'Fill in the other fields, each with `Enter`.',
          'Press `Ctrl+S` to create the challan, from any field.',
        ],
      },
      {
        title: 'Enter one like the last',
        steps: [
          'Type what is new: TP number, vehicle and weights. Most other fields keep what the last one had.',
          "In a field, press `Ctrl+'` to copy its value from the last challan.",
          'Press `Ctrl+S`.',
        ],
      },
      fixErrors,
    ],
    terms: formTerms,
    hasNet: true,
  },
  editChallan: {
    purpose:
      'Change a challan. Values that you do not change stay as they were stored, to the paisa. The owner cannot be changed.',
    jobs: [
      {
        title: 'Change a value',
        steps: [
          'Go to the field with `Enter` and `Shift+Enter`, or to the next section with `Alt+PgDn`.',
          'Type the new value.',
          'Press `Ctrl+S`. If money of a paid challan changes, you are asked first.',
        ],
      },
      fixErrors,
      {
        title: 'Leave without saving',
        steps: ['Press `Esc`.', 'If something was changed, you are asked first: `Ctrl+Enter` leaves without saving.'],
      },
    ],
    terms: formTerms,
    hasNet: true,
  },
  challanSheet: {
    purpose:
      'Type or paste up to 1,000 challans as in a spreadsheet. Each cell is checked while you type, and all rows without errors are created at once.',
    jobs: [
      {
        title: 'Paste challans from a spreadsheet',
        steps: [
          'In the spreadsheet, copy the rows together with their headings.',
          'Here, press `Ctrl+V`. The bar above says which columns were recognised; change them there.',
          'Press `F8` to go to the next error, and correct it.',
          'Press `Ctrl+S`, read the sum, and press `Ctrl+Enter`.',
        ],
      },
      {
        title: 'Type challans',
        steps: [
          'Type in a cell and press `Tab` for the next one. `Enter` goes down: after `Tab`, below the cell where you began.',
          'Press `Ctrl+D` to fill a cell from the one above. `Ctrl+Z` undoes the last edit. In a cell `?` is typed as text; to open this help from there, press `Ctrl+K` and choose Help.',
          'Press `Ctrl+S` and `Ctrl+Enter`.',
        ],
      },
      {
        title: 'Undo the creation',
        steps: [
          'Press Undo in the message above the sheet: the rows are in the sheet again.',
          'Later, find the sheet under Imports and Sheets, and press `U` on its row.',
        ],
      },
    ],
    terms: [
      tpNo,
      discounter,
      hsdInLiters,
      discountWeight,
      materialRate,
      differenceWeight,
      ['Net Amount Payable', 'What is due to the owner, calculated as below. Grey columns cannot be typed into.'],
      ['Deposited On', 'If it is empty, the last deposited date is used, or otherwise today.'],
    ],
    hasNet: true,
  },
} as const satisfies Partial<Record<ScreenId, ScreenHelp>>;
