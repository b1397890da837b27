import type { Random } from './random.ts';

/** PAN: five letters, four digits, one letter. The fourth letter is the kind of holder, the fifth begins the name. */
export function pan(random: Random, holder: 'P' | 'F' | 'C' | 'H', nameInitial: string): string {
  const initial = /^[A-Z]$/.test(nameInitial) ? nameInitial : 'X';
  return `${random.letters(3)}${holder}${initial}${random.digits(4)}${random.letters(1)}`;
}

const base36 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The check character of a GSTIN: digits in base 36 with weights 1 and 2 in turn; quotients and remainders are added up. */
export function gstinCheck(first14: string): string {
  let sum = 0;
  for (let index = 0; index < 14; index += 1) {
    const product = base36.indexOf(first14.charAt(index)) * (index % 2 === 0 ? 1 : 2);
    sum += Math.floor(product / 36) + (product % 36);
  }
  return base36.charAt((36 - (sum % 36)) % 36);
}

/**
 * GSTIN: state code (21 Odisha, 20 Jharkhand, 22 Chhattisgarh, 19 West Bengal), PAN, the number of the holder's
 * registration, Z, check character.
 */
export function gstin(random: Random, panNo: string): string {
  const roll = random.below(100);
  const state = roll < 80 ? '21' : roll < 92 ? '20' : roll < 97 ? '22' : '19';
  const first14 = `${state}${panNo}1Z`;
  return first14 + gstinCheck(first14);
}

const banks = [
  { code: 'SBIN0', accountDigits: 11 },
  { code: 'PUNB0', accountDigits: 16 },
  { code: 'HDFC0', accountDigits: 14 },
  { code: 'ICIC0', accountDigits: 12 },
  { code: 'UTIB0', accountDigits: 15 },
  { code: 'BARB0', accountDigits: 14 },
  { code: 'CNRB0', accountDigits: 13 },
  { code: 'UBIN0', accountDigits: 15 },
];
const bankWeights = [5, 2, 2, 1, 1, 1, 1, 1];
const bankChoice = banks.flatMap((bank, index) => Array.from({ length: bankWeights[index] ?? 1 }, () => bank));

/** An account with its IFSC. Some account numbers begin with zeros, because leading zeros count (docs/specification.md §3.5). */
export function bankAccount(random: Random): { accountNo: string; ifsc: string } {
  const bank = random.pick(bankChoice);
  const first = random.chance(12) ? '00' : String(random.between(10, 99));
  return { accountNo: first + random.digits(bank.accountDigits - 2), ifsc: `${bank.code}${random.digits(6)}` };
}

/** A mobile number: ten digits, of which the first is 6 to 9. */
export function phone(random: Random): string {
  return `${random.between(6, 9)}${random.digits(9)}`;
}

export function drivingLicence(random: Random): string {
  return `${random.pick(['OD09', 'OD14', 'OD05', 'JH06'])}${random.between(2004, 2023)}00${random.digits(5)}`;
}
