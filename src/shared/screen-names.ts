/**
 * The screens by name, as the client says them with each call and the history keeps them (docs/specification.md §3.9). Any
 * other name is taken for none.
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
