/** In which an owner is written to (docs/specification.md §6.2); each by the names that a table may have for it. */
const languageNames = {
  English: ['english', 'en', 'eng'],
  Hindi: ['hindi', 'hi', 'हिन्दी', 'हिंदी'],
  Odia: ['odia', 'oriya', 'or', 'ଓଡ଼ିଆ'],
} as const;
export type Language = keyof typeof languageNames;
// Safe: the keys of the table.
export const languages = Object.keys(languageNames) as [Language, ...Language[]];

/** Another name of a language as ours; any other text as it is typed. */
export function languageOf(typed: string): string {
  const name = typed.toLowerCase();
  return languages.find((language) => (languageNames[language] as readonly string[]).includes(name)) ?? typed;
}
