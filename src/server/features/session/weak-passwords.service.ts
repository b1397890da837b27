import { createRequire } from 'node:module';
import { fieldRefusal } from '../../refusal.ts';

/** Names that everybody who uses this installation knows. */
const productNames = ['challandesk', 'challan desk'];

let common: ReadonlySet<string> | undefined;
/** Returns about 43,000 common passwords of six or more characters. They are loaded when the first password is set. */
function commonPasswords(): ReadonlySet<string> {
  // Loads the package's JSON file directly. Its own entry point unpacks a compressed copy, which takes a third of a
  // second.
  common ??= new Set(createRequire(import.meta.url)('@zxcvbn-ts/language-common/src/passwords.json') as string[]);
  return common;
}

/** Keeps only letters and digits of any language, in lower case: 'Maa Tarini!' and 'maatarini' become the same name. */
const lettersAndDigits = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, '');
const withoutEndDigits = (text: string): string => text.replace(/\d+$/, '');

/**
 * Whether the text is a repetition or a run: 'aaaaaa', '121212', '123123', 'abcdef', '987654'. The list of common
 * passwords does not contain these.
 */
function isRun(text: string): boolean {
  const codes = Array.from(text, (letter) => letter.codePointAt(0) ?? 0);
  const goesBy = (step: number) => codes.every((code, n) => n === 0 || code - (codes[n - 1] ?? 0) === step);
  return goesBy(1) || goesBy(-1) || /^(.{1,3})\1+$/u.test(text);
}

function isCommon(password: string): boolean {
  const lowerCase = password.toLowerCase();
  // 'Password@123' is as common as the word alone.
  const word = lowerCase.replace(/[^\p{L}\p{M}]+$/u, '');
  return isRun(lowerCase) || commonPasswords().has(lowerCase) || (word.length >= 6 && commonPasswords().has(word));
}

function isOwnName(password: string, names: readonly string[]): boolean {
  const word = withoutEndDigits(lettersAndDigits(password));
  const own = names
    .flatMap((name) => [name, name.split('@')[0] ?? ''])
    .map((name) => withoutEndDigits(lettersAndDigits(name)));
  return word !== '' && own.includes(word);
}

/**
 * Refuses a new password that a guesser would try first (docs/specification.md §5.2): a common one, or a name of the
 * account. Stored passwords continue to work.
 */
export function refuseWeakPassword(password: string, names: readonly string[], field: string): void {
  const message = weaknessOf(password, names);
  if (message !== null) throw fieldRefusal('VALIDATION_ERROR', field, message);
}

export function weaknessOf(password: string, names: readonly string[]): string | null {
  if (isOwnName(password, [...names, ...productNames])) return 'The password must not be a name of the account';
  return isCommon(password) ? 'This password is too common. Please choose another one' : null;
}
