import type { Random } from './random.ts';

/** Invented people and firms, in the mix of the region. */
const firstNames = (
  'Bikash, Sanjukta, Pratima, Anil Kumar, Prakash Chandra, Susanta, Manoranjan, Kabita, Debasish, Rabindra, ' +
  'Jyotirmayee, Hemanta, Laxmidhar, Sarat Chandra, Mamata, Tapan Kumar, Niranjan, Basanti'
).split(', ');
const surnames = [
  'Mohanta',
  'Naik',
  'Behera',
  'Jena',
  'Sahoo',
  'Pradhan',
  'Patra',
  'Mohanty',
  'Rout',
  'Barik',
  'Das',
  'Swain',
];
const communities: readonly { first: readonly string[]; last: readonly string[]; share: number }[] = [
  { first: firstNames, last: surnames, share: 58 },
  {
    first: ['Sushil', 'Birsa', 'Sumitra', 'Mangal', 'Lodro', 'Jaipal'],
    last: ['Munda', 'Ho', 'Hansda', 'Tirkey', 'Oram'],
    share: 14,
  },
  {
    first: ['Rameshwar', 'Kailash', 'Pawan Kumar', 'Sunita', 'Mahabir Prasad', 'Dinesh'],
    last: ['Agarwal', 'Modi', 'Sharma', 'Khandelwal', 'Jindal'],
    share: 12,
  },
  {
    first: ['Md. Irfan', 'Sk. Rahim', 'Md. Salim', 'Shabnam', 'Abdul Karim'],
    last: ['Ansari', 'Khan', 'Alam', 'Hussain'],
    share: 8,
  },
  {
    first: ['Gurpreet Singh', 'Harjinder Singh', 'Manjeet Kaur', 'Baldev Singh'],
    last: ['Saluja', 'Gill', 'Bhatia', 'Sandhu'],
    share: 8,
  },
];

const firmFirst = [
  'Maa Tarini',
  'Shree Balaji',
  'Jai Jagannath',
  'Keonjhar',
  'Baitarani',
  'Sri Ganesh',
  'Om Sai',
  'Kalinga',
  'Singhbhum',
  'Gandhamardan',
  'Thakurani',
  'Mahalaxmi',
];
const firmLast = [
  'Roadlines',
  'Carriers',
  'Transport',
  'Mineral Movers (P) Ltd',
  'Logistics',
  'Roadways',
  'Transport Co.',
  'Trailer Service',
];

/** Names that break careless code: quotes, commas, a formula, other scripts. */
const oddNames = [
  `Rourkela "Express" Carriers`,
  `D'Souza & Sons`,
  'Naik, Behera and Co.',
  '=Maa Durga Transport',
  'ବିକାଶ ମହାନ୍ତ',
  'राजेश कुमार साहू',
  "O'Brien Mineral Movers",
];

const longTails = [
  'Joint Venture Multi Axle Trailer Operators Co-operative Society Ltd',
  'and Associated Mineral Transport Contractors, Barbil and Joda Sector',
  'Bulk Carriers and Allied Services Private Limited (Unit II, Chandikhol Yard)',
];

interface Holder {
  name: string;
  kind: 'P' | 'F' | 'C' | 'H';
  /** The letter of the name that becomes the fifth letter of the PAN. */
  initial: string;
}

/** The n-th owner of a business. Every ninetieth name is one of the odd names, and some names are very long. */
export function holder(random: Random, index: number): Holder {
  if (index % 90 === 11) {
    const name = oddNames[Math.floor(index / 90) % oddNames.length] ?? 'Odd & Co';
    return { name: name.normalize('NFC'), kind: 'P', initial: name.charAt(0) };
  }
  const roll = random.below(100);
  if (roll >= 78) {
    const name = `${random.pick(firmFirst)} ${random.pick(firmLast)}`;
    return {
      name: random.chance(13) ? `${name} ${random.pick(longTails)}` : name,
      kind: roll >= 90 ? 'C' : 'F',
      initial: name.charAt(0),
    };
  }
  const { first, last } = community(random);
  return { name: `${first} ${last}`, kind: roll >= 70 ? 'H' : 'P', initial: last.charAt(0) };
}

function community(random: Random): { first: string; last: string } {
  let roll = random.below(100);
  for (const { first, last, share } of communities) {
    if (roll < share) return { first: random.pick(first), last: random.pick(last) };
    roll -= share;
  }
  return { first: random.pick(firstNames), last: random.pick(surnames) };
}

export function person(random: Random): string {
  const { first, last } = community(random);
  return `${first} ${last}`;
}

const villages = [
  'Joda',
  'Barbil',
  'Koira',
  'Banspani',
  'Champua',
  'Bonai',
  'Rajgangpur',
  'Talcher',
  'Chandikhol',
  'Panikoili',
  'Noamundi',
  'Barsuan',
];

export function address(random: Random): string {
  const place = random.pick(villages);
  return `${random.pick(['At/PO', 'Ward No', 'Plot', 'Near Bus Stand,', 'Main Road,'])} ${random.between(1, 240)}, ${place}, Odisha ${random.between(751001, 770076)}`;
}

export function branch(random: Random): string {
  return random.pick(villages);
}

/** The businesses: banner name, the name in the e-mail address, and office. The demo prints the login of the first one. */
export const businesses = [
  { banner: 'Maa Tarini Roadlines', login: 'tarini', office: 'Station Road, Joda, Keonjhar, Odisha 758034' },
  { banner: 'Shree Balaji Carriers', login: 'balaji', office: 'Main Road, Koira, Sundargarh, Odisha 770048' },
  { banner: 'Jai Jagannath Transport', login: 'jagannath', office: 'Chandikhol Chhak, Jajpur, Odisha 755044' },
  { banner: 'Keonjhar Mineral Movers (P) Ltd', login: 'keonjhar', office: 'NH 520, Barbil, Keonjhar, Odisha 758035' },
  { banner: 'Baitarani Bulk Logistics', login: 'baitarani', office: 'Hatatota, Talcher, Angul, Odisha 759100' },
] as const;
