import { existsSync } from 'node:fs';

/** Usual places of LibreOffice's program, in the order they are tried; LIBREOFFICE_PATH names another. */
const places = [
  '/usr/bin/soffice',
  '/usr/bin/libreoffice',
  '/usr/local/bin/soffice',
  '/Applications/LibreOffice.app/Contents/MacOS/soffice',
];

/** LibreOffice, which the tests open spreadsheets and CSV files with; undefined where there is none. */
export function findLibreOffice(): string | undefined {
  return [process.env.LIBREOFFICE_PATH, ...places].find(
    (path) => path !== undefined && path !== '' && existsSync(path),
  );
}

/** For a test: LibreOffice, or an error that says how to get it. */
export function requireLibreOffice(): string {
  const found = findLibreOffice();
  if (found === undefined) throw new Error(libreOfficeMissing);
  return found;
}

/** What to do when there is none. */
export const libreOfficeMissing =
  'LibreOffice was not found. Install its package (libreoffice-calc), or name the program by LIBREOFFICE_PATH.';
