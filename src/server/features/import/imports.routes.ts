import { contract } from '../../../shared/contract/index.ts';
import { importFields, importNouns } from '../../../shared/sheet/import-fields.ts';
import { tableFile } from '../../files/table-file.ts';
import type { Implementer } from '../../http/implement.ts';
import { addSample } from './sample.service.ts';
import { applyImport, checkImport } from './imports.service.ts';

export function importsRoutes(implement: Implementer): void {
  const { imports } = contract;

  implement.data(imports.check, ({ db, body }) => checkImport(db, body));
  implement.data(imports.apply, ({ db, caller, body }) => applyImport(db, caller, body));
  implement.tenant(imports.addSample, async ({ db, caller }) => ({ data: { batch: await addSample(db, caller) } }));

  implement.tenant(imports.template, async ({ query: { kind } }) =>
    tableFile<Record<string, string>>('xlsx', {
      name: `${kind}-template.xlsx`,
      sheet: importNouns[kind][0],
      columns: importFields[kind].map(({ name, label }) => ({ key: name, label, kind: 'text', width: 160 })),
      lines: noLines(),
    }),
  );
}

/** A template has only the headings. */
async function* noLines(): AsyncIterable<never> {}
