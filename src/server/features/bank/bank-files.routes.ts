import { binary } from '../../../shared/contract/define.ts';
import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { selectBankFileContent, selectBankFiles } from './bank-files.queries.ts';
import { selectBankLines } from './bank-lines.queries.ts';
import { paginationOf } from '../../sql/paging.ts';
import { notFound } from '../../refusal.ts';
import { checkBankFile, createBankFile, getBankFile, withdrawBankFile } from './bank-files.service.ts';
import { createBankLayout, listBankLayouts, removeCustomLayout, updateCustomLayout } from './bank-layouts.service.ts';

export function bankFilesRoutes(implement: Implementer): void {
  const { bankFiles, bankLayouts } = contract;
  implement.data(bankLayouts.list, ({ db }) => listBankLayouts(db));
  implement.data(bankLayouts.create, ({ db, body }) => createBankLayout(db, body));
  implement.data(bankLayouts.update, ({ db, params, body }) => updateCustomLayout(db, params.id, body));
  implement.tenant(bankLayouts.remove, async ({ db, params }) => {
    await removeCustomLayout(db, params.id);
    return { message: 'Layout deleted successfully!' };
  });

  implement.data(bankFiles.check, ({ db, body }) => checkBankFile(db, body));
  implement.data(bankFiles.create, ({ db, caller, body }) => createBankFile(db, caller, body));
  implement.tenant(bankFiles.list, ({ db, query }) => selectBankFiles(db, query));
  implement.tenant(bankFiles.get, async ({ db, params, query }) => {
    const [file, lines] = await Promise.all([getBankFile(db, params.id), selectBankLines(db, params.id, query)]);
    return { data: { ...file, lines }, pagination: paginationOf(query, file.lineCount) };
  });
  implement.tenant(bankFiles.download, async ({ db, params }) => {
    const file = await selectBankFileContent(db, params.id);
    if (!file) throw notFound('Bank file');
    const { file_name: name, content } = file;
    return { name, contentType: binary.type, write: async (sink) => void sink.end(content) };
  });
  implement.data(bankFiles.withdraw, ({ db, caller, params, body }) =>
    withdrawBankFile(db, caller, params.id, body.reason),
  );
}
