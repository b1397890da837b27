import { join } from 'node:path';
import { inject } from 'vitest';
import { parserProgram } from '../../src/server/files/spreadsheet/parser-process.ts';
import { resetNumbers } from './support/numbers.ts';

/**
 * Runs before each test file. Several files run in one process, one after the other, and share its modules. What a file finds
 * must not depend on the files before it. So the running numbers begin again, and every file is parsed by the built program.
 */
resetNumbers();
const programs = inject('programs');
if (programs !== '') parserProgram.args = [join(programs, 'spreadsheet-child.js')];
