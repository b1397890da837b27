/** Screens by address, in the words of their headings; the more particular address first. */
const screens: readonly (readonly [address: RegExp, name: string])[] = [
  [/^\/dashboard/, 'Dashboard'],
  [/^\/admin\/subadmins/, 'Subadmins'],
  [/^\/owners\/copy/, 'Copy Owners'],
  [/^\/owners/, 'Owners'],
  [/^\/trucks/, 'Trucks'],
  [/^\/tags/, 'Tags'],
  [/^\/petrol-pumps/, 'Petrol Pumps'],
  [/^\/challans\/create/, 'Create Challans'],
  [/^\/challans\/edit/, 'Edit Challan'],
  [/^\/challans/, 'Challans'],
  [/^\/accounting\/bank-statement/, 'Bank Statement'],
  [/^\/accounting\/payments/, 'Payments'],
  [/^\/accounting\/owner\//, 'Owner Challans'],
  [/^\/accounting/, 'Accounting'],
  [/^\/hsd-verification/, 'HSD Verification'],
  [/^\/profile/, 'Profile'],
];

/** Which screen a change is made from, for the record's history. Undefined for an address that has none. */
export function screenOf(path: string): string | undefined {
  return screens.find(([address]) => address.test(path))?.[1];
}
