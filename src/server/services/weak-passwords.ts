import { createRequire } from 'node:module';
import { Refusal } from '../refusal.ts';

/** Words that everybody at this installation knows. */
const productNames = ['challandesk', 'challan desk'];

let common: ReadonlySet<string> | undefined;
/** Some 43,000 of six characters or more, most used first; read when the first password is set. */
function commonPasswords(): ReadonlySet<string> {
  // As a file of the package: its own entry unpacks a compressed copy, which takes a third of a second.
  common ??= new Set(createRequire(import.meta.url)('@zxcvbn-ts/language-common/src/passwords.json') as string[]);
  return common;
}

/** Letters and digits of any language, in small letters: 'Maa Tarini!' and 'maatarini' are one name. */
const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '');
const withoutEndDigits = (text: string): string => text.replace(/\d+$/, '');

/** 'aaaaaa', '121212', '123123', 'abcdef', '987654': the list leaves them to a rule. */
function isRun(text: string): boolean {
  const codes = Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
  const goesBy = (step: number) => codes.every((code, n) => n === 0 || code - (codes[n - 1] ?? 0) === step);
  return goesBy(1) || goesBy(-1) || /^(.{1,3})\1+$/u.test(text);
}

function isCommon(password: string): boolean {
  const small = password.toLowerCase();
  // 'Password@123' is as common as the word alone.
  const word = small.replace(/[^\p{L}\p{M}]+$/u, '');
  return isRun(small) || commonPasswords().has(small) || (word.length >= 6 && commonPasswords().has(word));
}

function isOwnName(password: string, names: readonly string[]): boolean {
  const word = withoutEndDigits(bare(password));
  const own = names.flatMap((name) => [name, name.split('@')[0] ?? '']).map((name) => withoutEndDigits(bare(name)));
  return word !== '' && own.includes(word);
}

/**
 * Refuses a new password that a guesser would try first (docs/specification.md §5.2): one of the common ones, or a name
 * of the account. What is stored already goes on working.
 */
export function refuseWeakPassword(password: string, names: readonly string[], field: string): void {
  const message = weaknessOf(password, names);
  if (message !== null) throw new Refusal('VALIDATION_ERROR', message, { fields: { [field]: message } });
}

export function weaknessOf(password: string, names: readonly string[]): string | null {
  if (isOwnName(password, [...names, ...productNames])) return 'The password must not be a name of the account';
  return isCommon(password) ? 'This password is too common. Please choose another one' : null;
}
