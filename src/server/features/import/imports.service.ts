import { createHash } from 'node:crypto';
import { dayOf } from '../../../shared/calc/dates.ts';
import { importFields, importNouns, readImportRow, type ReadRow } from '../../../shared/sheet/import-fields.ts';
import type { ImportCounts, ImportRow } from '../../../shared/contract/imports.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import type { contract } from '../../../shared/contract/index.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { refuseWhenTaken, takeTurns } from '../../sql/conflicts.ts';
import { insertHistoryLines } from '../history/history.queries.ts';
import { selectImportOf } from './imports.queries.ts';
import { fieldRefusal, Refusal } from '../../refusal.ts';
import { recordBatch } from '../batches/batches.service.ts';
import { importPlans } from './import-kinds.service.ts';
import { importChangedRefusal, type ImportPlan } from './import-plan.service.ts';

type ImportTable = BodyOf<typeof contract.imports.check>;

/** Checks what an import of the rows would do, without changing anything. */
export async function checkImport(db: TenantDb, table: ImportTable) {
  const rows = readRows(table);
  const plan = await importPlans[table.kind](db, rows);
  const imported = await selectImportOf(db, table.kind, fileHash(table));
  return {
    rows: plan.answers.map((row, index) =>
      withWarnings(row, [...(rows[index]?.doubts ?? []), ...(plan.warnings?.[index] ?? [])]),
    ),
    counts: countStates(plan.answers),
    fingerprint: planFingerprint(plan),
    unknown: plan.unknown ?? [],
    imported,
  };
}

/**
 * Imports the rows without errors as one batch: all of them or none. The rows are checked again. When the result
 * differs from what the caller saw, nothing is imported.
 * @throws Refusal IMPORT_CHANGED then
 */
export async function applyImport(
  db: TenantDb,
  caller: Caller,
  { choices, expected, ...table }: BodyOf<typeof contract.imports.apply>,
) {
  await takeTurns(db, 'import');
  const plan = await importPlans[table.kind](db, readRows(table));
  if (planFingerprint(plan) !== expected.fingerprint) throw importChangedRefusal();
  const { answers, write } = plan;
  const counts = countStates(answers);
  const {
    lines,
    history,
    words,
    amount = '0.00',
  } = await refuseWhenTaken(
    write(db, choices, caller),
    // Somebody saved the same number or name between the check and the write.
    ['trucks_number', 'tags_name', 'declarations_year'],
    importChangedRefusal,
  );
  if (lines.length === 0) throw nothingToImport();

  const changed = lines.filter(({ before }) => before !== null).length;
  const created = lines.length - changed;
  const batch = await recordBatch(db, caller, {
    kind: 'import',
    title: `${words.join(' and ')} from ${table.file.name}`.slice(0, 200),
    amount,
    lines,
    facts: {
      kind: table.kind,
      file: table.file.name,
      sha256: fileHash(table),
      rows: String(answers.length),
      same: String(counts.same),
      wrong: String(counts.wrong),
      created: String(created),
      changed: String(changed),
    },
  });
  await insertHistoryLines(db, caller, history, batch.id);
  return { batch: { id: batch.id, number: batch.number, title: batch.title }, created, changed };
}

const withWarnings = (row: ImportRow, warnings: ImportRow['warnings'] = []): ImportRow =>
  warnings.length === 0 ? row : { ...row, warnings };

function nothingToImport(): Refusal {
  return new Refusal('VALIDATION_ERROR', 'There is nothing to import: every row is the same, skipped or wrong.');
}

function countStates(answers: readonly ImportRow[]): ImportCounts {
  const counts = { new: 0, same: 0, differs: 0, wrong: 0 };
  for (const { state } of answers) counts[state] += 1;
  return counts;
}

/**
 * A hash of the result and the values of every row. Counts alone would not show that somebody changed an account number
 * in the meantime.
 */
const planFingerprint = ({ answers, given }: Pick<ImportPlan, 'answers' | 'given'>): string =>
  createHash('sha256')
    .update(JSON.stringify([answers, given]))
    .digest('hex');

/** Reads the cells of the rows. Refuses a field of another kind, and one that is given twice. */
function readRows({ kind, fields, rows }: ImportTable): ReadRow[] {
  const known = new Map(importFields[kind].map((one) => [one.name, one]));
  for (const [index, name] of fields.entries()) {
    if (known.has(name) && fields.indexOf(name) === index) continue;
    const message = `${importNouns[kind][0]} have no second column "${name.slice(0, 40)}"`;
    throw fieldRefusal('VALIDATION_ERROR', 'fields', message);
  }
  const columns = fields.flatMap((name) => known.get(name) ?? []);
  const today = dayOf(new Date());
  return rows.map((cells) => readImportRow(columns, cells, today));
}

const fileHash = ({ file, fields, rows }: ImportTable): string =>
  file.sha256 ??
  createHash('sha256')
    .update(JSON.stringify([fields, rows]))
    .digest('hex');
