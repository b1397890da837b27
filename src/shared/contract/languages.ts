/** The languages that owners get messages in (docs/specification.md §6.2), with the names that an imported table may use. */
const languageNames = {
  English: ['english', 'en', 'eng'],
  Hindi: ['hindi', 'hi', 'हिन्दी', 'हिंदी'],
  Odia: ['odia', 'oriya', 'or', 'ଓଡ଼ିଆ'],
} as const;
export type Language = keyof typeof languageNames;
// Safe: these are the keys of the table.
export const languages = Object.keys(languageNames) as [Language, ...Language[]];

/** The language that a name stands for; any other text is given back as it was typed. */
export function languageOf(typed: string): string {
  const name = typed.toLowerCase();
  return languages.find((language) => (languageNames[language] as readonly string[]).includes(name)) ?? typed;
}
