import { bareText } from './cells.ts';

/** Finds things in the narrations of banks: words, the bank's reference (UTR), and whether a line is a return. */

/** Runs of letters and digits, in capitals; masked digits ('XXXX1234', '**1234') stay one run. */
export const tokensOf = (text: string): string[] => text.toUpperCase().match(/[A-Z0-9*]+/g) ?? [];

const returns = /\b(RETURN(ED)?|RTN|RETD?|REJ(ECT(ED)?|N)?|REVERSAL|REVERSED|REFUND|UNPAID|BOUNCED?)\b/;
/** 'NEFT RETURN-…', 'REJ/…' */
export const saysReturn = (text: string): boolean => returns.test(text.toUpperCase().replace(/[^A-Z0-9]+/g, ' '));

export type UtrKind = 'NEFT' | 'RTGS' | 'IMPS';

/** The kind of transfer by the usual shapes of UTRs. It is only a hint, because banks use other shapes too. */
export function utrKindOf(utr: string): UtrKind | null {
  const bare = bareText(utr);
  if (/^[A-Z]{4}[A-Z0-9]{6}\d{12}$/.test(bare)) return 'RTGS';
  if (/^[A-Z][A-Z0-9]{7}\d{8}$/.test(bare)) return 'NEFT';
  return /^\d{12}$/.test(bare) ? 'IMPS' : null;
}

/**
 * The bank's own reference in a line: the longest text with one of the shapes above. The reference column is searched
 * before the narration.
 */
export function utrIn(reference: string, narration: string, notThese: ReadonlySet<string>): string {
  const isImps = /\b(IMPS|UPI|P2A)\b/i.test(narration.replace(/[^A-Za-z0-9]+/g, ' '));
  for (const text of [reference, narration]) {
    const found = tokensOf(text).filter((token) => {
      const kind = notThese.has(token) ? null : utrKindOf(token);
      return kind !== null && (kind !== 'IMPS' || isImps || text === reference);
    });
    const longest = found.sort((a, b) => b.length - a.length)[0];
    if (longest !== undefined) return longest;
  }
  return '';
}

/** Words that too many names and narrations have, so that owners are not recognised by them. */
const commonWords = new Set(
  [
    'AND',
    'THE',
    'SHRI',
    'SMT',
    'MRS',
    'PVT',
    'LTD',
    'PRIVATE',
    'LIMITED',
    'TRANSPORT',
    'TRANSPORTS',
    'ROADWAYS',
  ].concat(
    ['LOGISTICS', 'CARRIER', 'CARRIERS', 'ENTERPRISES', 'ENTERPRISE', 'TRADERS', 'COMPANY', 'SONS', 'BROTHERS'],
    ['NEFT', 'RTGS', 'IMPS', 'UPI', 'PAY', 'PAYMENT', 'TRANSFER', 'BANK', 'FUND', 'ACCOUNT'],
  ),
);

/** The words of a name that an owner can be recognised by. */
export const nameWords = (name: string): string[] =>
  (name.toUpperCase().match(/[A-Z]{3,}/g) ?? []).filter((word) => !commonWords.has(word));
