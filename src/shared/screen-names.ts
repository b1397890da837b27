/**
 * The names of the screens. The client sends the name with each call, and the history keeps it (docs/specification.md
 * §3.9). The server ignores any other name.
 */
export const screenNames = [
  'Dashboard',
  'Subadmins',
  'Owners',
  'Tags',
  'Copy Owners',
  'Copied Owners',
  'Trucks',
  'Challans',
  'Create Challans',
  'Entry Sheet',
  'Edit Challan',
  'Accounting',
  'Owner Statement',
  'Opening Balances',
  'Owner Challans',
  'Bank Statement',
  'Payments',
  'Bank Files',
  'At the Bank',
  'Bank Answer',
  'Accepted Answers',
  'TDS Register',
  'TDS Deductions',
  'Shared Reports',
  'Petrol Pumps',
  'HSD Verification',
  'Pump Ledger',
  'Import',
  'Imports and Sheets',
  'Profile',
  'Bank Accounts',
  'Bank Layouts',
] as const;
export type ScreenName = (typeof screenNames)[number];
