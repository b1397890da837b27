import { installDebianPackage } from './debian.ts';
import { findOlderPostgres, olderVersions, postgresMissing } from './postgres.ts';
import { say } from './run.ts';

// Without it the tests that use it fail with the reason; the others still run.
for (const version of olderVersions) {
  if (findOlderPostgres() !== undefined) break;
  await installDebianPackage(`postgresql-${version}`, '--no-install-recommends');
}
const found = findOlderPostgres();
say(`Older PostgreSQL: ${found ?? postgresMissing}`);
