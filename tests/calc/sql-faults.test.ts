import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { describeFault, sqlFaults, withFault } from '../../src/tasks/sql-faults.ts';

/** What npm run test:statements puts into statements. */
const changed = (statement: string): string[] => {
  const source = `const one = await db.query(\n  \`${statement}\`,\n);\n`;
  return sqlFaults(source).map((fault) => withFault(source, fault).split('`')[1]!);
};

it('leaves conditions out and turns them round, but not the condition of the tenant', () => {
  expect(
    changed('SELECT FROM challans c WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND NOT c.payment_status'),
  ).toEqual([
    'SELECT FROM challans c WHERE c.subadmin_id = $1 AND NOT c.payment_status',
    'SELECT FROM challans c WHERE c.subadmin_id = $1 AND c.deleted_at IS NOT NULL AND NOT c.payment_status',
    'SELECT FROM challans c WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL',
    'SELECT FROM challans c WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND c.payment_status',
  ]);
  expect(
    changed("SELECT FROM a JOIN b ON b.id = a.id AND b.subadmin_id = $1 WHERE a.id = ANY ($2) AND a.kind <> ''"),
  ).toEqual([
    'SELECT FROM a JOIN b ON b.id = a.id AND b.subadmin_id = $1 WHERE a.id = ANY ($2)',
    "SELECT FROM a JOIN b ON b.id = a.id AND b.subadmin_id = $1 WHERE a.id = ANY ($2) AND a.kind = ''",
  ]);
});

it('changes arithmetic, sums, joins, order and locks', () => {
  expect(changed('SELECT sum(a - b) FROM x LEFT JOIN y USING (id) HAVING count(*) > 0')).toEqual([
    'SELECT max(a - b) FROM x LEFT JOIN y USING (id) HAVING count(*) > 0',
    'SELECT sum(a + b) FROM x LEFT JOIN y USING (id) HAVING count(*) > 0',
    'SELECT sum(a - b) FROM x JOIN y USING (id) HAVING count(*) > 0',
    'SELECT sum(a - b) FROM x LEFT JOIN y USING (id) HAVING count(*) >= 0',
  ]);
  expect(changed('SELECT id FROM x ORDER BY id FOR UPDATE OF x SKIP LOCKED')).toEqual([
    'SELECT id FROM x ORDER BY random(), id FOR UPDATE OF x SKIP LOCKED',
    'SELECT id FROM x ORDER BY id SKIP LOCKED',
    'SELECT id FROM x ORDER BY id FOR UPDATE OF x',
  ]);
});

it('changes texts of statements alone, and says where', () => {
  const source = '// true AND a + b\nconst n = a + b;\nconst text = `\n  SET paid = true, n = ${a + b}\n`;\n';
  const faults = sqlFaults(source);
  expect(faults.map((fault) => withFault(source, fault))).toEqual([source.replace('paid = true', 'paid = false')]);
  expect(describeFault(source, faults[0]!)).toBe('4: "true" becomes "false" in: SET paid = true, n = ${a + b}');
});

it('finds many in the statements that pay', () => {
  const source = readFileSync('src/server/features/payments/payments.queries.ts', 'utf8');
  const faults = sqlFaults(source);
  expect(faults.length).toBeGreaterThan(50);
  expect(new Set(faults.map((fault) => withFault(source, fault))).size).toBe(faults.length);
});
