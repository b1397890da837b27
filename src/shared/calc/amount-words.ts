import { isNegative, roundHalfUp } from './money.ts';

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

/** 0..99 in words. */
function belowHundred(value: bigint): string {
  if (value < 20n) return UNITS[Number(value)] ?? '';
  const tens = TENS[Number(value / 10n)] ?? '';
  return value % 10n === 0n ? tens : `${tens} ${UNITS[Number(value % 10n)] ?? ''}`;
}

/**
 * A whole number in words of the Indian system: crore, lakh, thousand, hundred. The number of crores has no limit and is
 * written in words itself.
 */
function inWords(value: bigint): string {
  if (value < 100n) return belowHundred(value);
  const scales: [bigint, string][] = [
    [10_000_000n, 'crore'],
    [100_000n, 'lakh'],
    [1_000n, 'thousand'],
    [100n, 'hundred'],
  ];
  const [size, name] = scales.find(([scale]) => value >= scale) ?? [100n, 'hundred'];
  const rest = value % size;
  return `${inWords(value / size)} ${name}${rest === 0n ? '' : ` ${inWords(rest)}`}`;
}

/** "123456.50" → "Rupees one lakh twenty three thousand four hundred fifty six and fifty paise only". */
export function amountInWords(text: string): string {
  const [rupees = '0', paise = '00'] = roundHalfUp(text, 2).replace('-', '').split('.');
  const paiseWords = paise === '00' ? '' : ` and ${belowHundred(BigInt(paise))} ${paise === '01' ? 'paisa' : 'paise'}`;
  const sentence = `upees ${inWords(BigInt(rupees))}${paiseWords} only`;
  return isNegative(roundHalfUp(text, 2)) ? `Minus r${sentence}` : `R${sentence}`;
}
