import { installDebianPackage } from './debian.ts';
import { findOlderPostgres, findPgBouncer, olderVersions, pgBouncerMissing, postgresMissing } from './postgres.ts';
import { say } from './run.ts';

// Without it the tests that use it fail with the reason; the others still run.
for (const version of olderVersions) {
  if (findOlderPostgres() !== undefined) break;
  await installDebianPackage(`postgresql-${version}`, '--no-install-recommends');
}
const found = findOlderPostgres();
say(`Older PostgreSQL: ${found ?? postgresMissing}`);
if (findPgBouncer() === undefined) await installDebianPackage('pgbouncer', '--no-install-recommends');
say(`PgBouncer: ${findPgBouncer() ?? pgBouncerMissing}`);
