import { mkdir, rm } from 'node:fs/promises';
import { installDebianPackage } from './debian.ts';
import { findLibreOffice, libreOfficeMissing } from './libreoffice.ts';
import { findNode, nodeLines, nodeMissing, nodePackage, placeOf } from './node-versions.ts';
import { findOlderPostgres, findPgBouncer, olderVersions, pgBouncerMissing, postgresMissing } from './postgres.ts';
import { runTool, say } from './run.ts';

/**
 * Finds the programs that the tests need, or installs them, and prints what it found. When one is missing, the tests that
 * need it fail and say why, and all other tests still run.
 */
if (findLibreOffice() === undefined) await installDebianPackage('libreoffice-calc-nogui', '--no-install-recommends');
say(`LibreOffice: ${findLibreOffice() ?? libreOfficeMissing}`);

for (const version of olderVersions) {
  if (findOlderPostgres() !== undefined) break;
  await installDebianPackage(`postgresql-${version}`, '--no-install-recommends');
}
say(`Older PostgreSQL: ${findOlderPostgres() ?? postgresMissing}`);

if (findPgBouncer() === undefined) await installDebianPackage('pgbouncer', '--no-install-recommends');
say(`PgBouncer: ${findPgBouncer() ?? pgBouncerMissing}`);

for (const line of nodeLines) {
  if (findNode(line) === undefined) await fetchNode(line);
  say(`Node ${line}: ${findNode(line) ?? nodeMissing(line)}`);
}

/** Fetches a Node of a promised line, on which tests run the built server. It is about 45 MB, once. */
async function fetchNode(line: number): Promise<void> {
  say(`Fetching Node ${line} for the tests (npm install ${nodePackage}@${line}) …`);
  const place = placeOf(line);
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await runTool('npm', ['install', '--prefix', place, ...options, `${nodePackage}@${line}`]);
}
