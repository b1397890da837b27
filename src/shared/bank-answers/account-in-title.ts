import { asciiDigits, withoutZeros } from '../calc/keys.ts';
import { cleanText, plainMarks } from '../reading/text.ts';

/** The account that a statement is of, by the lines above its headings (docs/specification.md §25.3). */

/** 'Account No : 50200012345678', 'A/c XXXXXXXX5678'. */
const label = /\b(?:a\/?c|acct|account)\b\.?(?:\s*(?:no|num|number)\b)?[\s.:#-]*/gi;
/** A number, whole or with hidden digits, perhaps in groups. A date is none. */
const number = /^(?!\d{1,2}-\d{1,2}-\d{2,4}\b)([x*•]|\d)[\dx*•]*(?:[ -]?[\dx*•]+)*/i;

const bare = (text: string): string => withoutZeros(text.replace(/[\s-]/g, ''));

/** The numbers of accounts in these rows: behind the word in the same cell, or in the next cell that has text. */
function accountsIn(rows: readonly (readonly string[])[]): string[] {
  return rows.flatMap((row) => {
    const cells = row.map((cell) => plainMarks(asciiDigits(cleanText(cell)))).filter((cell) => cell !== '');
    return cells.flatMap((cell, at) =>
      [...cell.matchAll(label)].flatMap((match) => {
        const behind = cell.slice(match.index + match[0].length);
        const next = cells.slice(at + 1).find((text) => /\w/.test(text)) ?? '';
        const [found] = number.exec(behind === '' ? next.replace(/^[\s:]+/, '') : behind) ?? [];
        const account = (found ?? '').replace(/[\s-]/g, '');
        return /^[x*•\d]{5,17}\d{3}$/i.test(account) ? [account] : [];
      }),
    );
  });
}

const isSame = (said: string, accountNo: string): boolean => {
  const shown = /(?<!\d)\d+$/.exec(said)?.[0] ?? '';
  const chosen = bare(accountNo);
  return shown === said ? chosen === bare(said) : chosen.endsWith(shown);
};

/**
 * Why a statement cannot be the one of this account: the rows above its headings name another account and not this one. null:
 * they name this one or none. The sentence has only the last four digits of each.
 */
export function otherAccount(titles: readonly (readonly string[])[], accountNo: string): string | null {
  const said = accountsIn(titles);
  const [first] = said;
  if (first === undefined || said.some((one) => isSame(one, accountNo))) return null;
  return `The statement is of account …${first.slice(-4)}, not of …${accountNo.slice(-4)}. Choose its account.`;
}
