import { filesUnder } from '../../../src/tasks/imports.ts';

/** The files with the statements of the features. */
export const statementFiles = (): string[] => [
  ...filesUnder('src/server/features', /\.queries\.ts$/),
  ...filesUnder('src/server/sql'),
];
