import { existsSync } from 'node:fs';

/** The usual places of LibreOffice, in the order in which they are tried. LIBREOFFICE_PATH names another one. */
const places = [
  '/usr/bin/soffice',
  '/usr/bin/libreoffice',
  '/usr/local/bin/soffice',
  '/Applications/LibreOffice.app/Contents/MacOS/soffice',
];

/** The path of LibreOffice, with which tests open spreadsheets and CSV files; undefined: there is none. */
export function findLibreOffice(): string | undefined {
  return [process.env.LIBREOFFICE_PATH, ...places].find(
    (path) => path !== undefined && path !== '' && existsSync(path),
  );
}

/** The path of LibreOffice for a test. Throws an error that says how to get it. */
export function requireLibreOffice(): string {
  const found = findLibreOffice();
  if (found === undefined) throw new Error(libreOfficeMissing);
  return found;
}

/** What to do when there is no LibreOffice. */
export const libreOfficeMissing =
  'LibreOffice was not found. Install its package (libreoffice-calc), or name the program by LIBREOFFICE_PATH.';
