import { createHash } from 'node:crypto';
import { importFields, importNouns } from '../../shared/sheet/import-fields.ts';
import type { ImportCounts, ImportRow } from '../../shared/contract/imports.ts';
import type { BodyOf } from '../../shared/contract/define.ts';
import type { contract } from '../../shared/contract/index.ts';
import type { Caller } from '../caller.ts';
import type { TenantDb } from '../db/tenant.ts';
import { insertHistoryLines } from '../queries/history.ts';
import { lockImporting, selectImportOf } from '../queries/imports.ts';
import { isTaken } from '../queries/unique.ts';
import { Refusal } from '../refusal.ts';
import { recordBatch } from './batches.ts';
import { importPlans } from './import-kinds.ts';
import { importChanged, type ImportPlan, type Texts } from './import-plan.ts';

type Table = BodyOf<typeof contract.imports.check>;

/** What each row is, without changing anything. */
export async function checkImport(db: TenantDb, table: Table) {
  const plan = await importPlans[table.kind](db, textsOf(table));
  const imported = await selectImportOf(db, table.kind, hashOf(table));
  return {
    rows: plan.answers,
    counts: countsOf(plan.answers),
    fingerprint: fingerprintOf(plan),
    unknown: plan.unknown ?? [],
    imported,
  };
}

/**
 * Imports the rows that are right, all or nothing, as one batch. The rows are checked again: when any of them comes to
 * something else than the caller saw, nothing is imported.
 */
export async function applyImport(
  db: TenantDb,
  caller: Caller,
  { choices, expected, ...table }: BodyOf<typeof contract.imports.apply>,
) {
  await lockImporting(db);
  const plan = await importPlans[table.kind](db, textsOf(table));
  if (fingerprintOf(plan) !== expected.fingerprint) throw importChanged();
  const { answers, write } = plan;
  const counts = countsOf(answers);
  const { lines, history, words, amount = '0.00' } = await refusingTaken(write(db, choices, caller));
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
      sha256: hashOf(table),
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

function nothingToImport(): Refusal {
  return new Refusal('VALIDATION_ERROR', 'There is nothing to import: every row is the same, skipped or wrong.');
}

/** Somebody saved the same number or name between the check and the write. */
async function refusingTaken<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing;
  } catch (error) {
    throw isTaken(error, 'trucks_number') || isTaken(error, 'tags_name') ? importChanged() : error;
  }
}

function countsOf(answers: readonly ImportRow[]): ImportCounts {
  const counts = { new: 0, same: 0, differs: 0, wrong: 0 };
  for (const { state } of answers) counts[state] += 1;
  return counts;
}

/** Of what every row is and would write. Counts would not show that somebody changed an account number meanwhile. */
const fingerprintOf = ({ answers, given }: Pick<ImportPlan, 'answers' | 'given'>): string =>
  createHash('sha256')
    .update(JSON.stringify([answers, given]))
    .digest('hex');

/** The rows as texts of the kind's fields; a field of another kind, or one that is named twice, is refused. */
function textsOf({ kind, fields, rows }: Table): Texts[] {
  const known = new Set(importFields[kind].map(({ name }) => name));
  for (const [index, name] of fields.entries()) {
    if (known.has(name) && fields.indexOf(name) === index) continue;
    const message = `${importNouns[kind][0]} have no second column "${name.slice(0, 40)}"`;
    throw new Refusal('VALIDATION_ERROR', message, { fields: { fields: message } });
  }
  return rows.map((cells) => Object.fromEntries(fields.map((name, index) => [name, (cells[index] ?? '').trim()])));
}

const hashOf = ({ file, fields, rows }: Table): string =>
  file.sha256 ??
  createHash('sha256')
    .update(JSON.stringify([fields, rows]))
    .digest('hex');
