import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { selectAnswerPage, selectLinesAtBank } from './bank-answers.queries.ts';
import { selectSetAside } from './account-statement-lines.queries.ts';
import { paginationOf } from '../../sql/paging.ts';
import { importStatement, proposeFromStatements, setAside } from './account-statements.service.ts';
import { undoAnswer } from './bank-answer-undo.service.ts';
import { acceptAnswers, previewAnswers } from './bank-answers.service.ts';

export function bankAnswersRoutes(implement: Implementer): void {
  const { bankAnswers } = contract;

  implement.tenant(bankAnswers.listLines, async ({ db, query }) => {
    const { lines, totals } = await selectLinesAtBank(db, query);
    return { data: lines, totals, pagination: paginationOf(query, totals.lines) };
  });

  implement.tenant(bankAnswers.preview, async ({ db, body }) => previewAnswers(db, body.rows));
  implement.data(bankAnswers.importStatement, ({ db, caller, body }) => importStatement(db, caller, body));
  implement.tenant(bankAnswers.proposals, async ({ db, query }) => proposeFromStatements(db, query.bankAccountId));
  implement.tenant(bankAnswers.listStatementLines, ({ db, query }) => selectSetAside(db, query));

  implement.data(bankAnswers.setAside, ({ db, caller, body }) =>
    setAside(db, caller, body.ids, { isAside: true, note: body.note }),
  );

  implement.data(bankAnswers.takeBack, ({ db, caller, body }) => setAside(db, caller, body.ids, { isAside: false }));
  implement.data(bankAnswers.accept, ({ db, caller, body }) => acceptAnswers(db, caller, body));
  implement.tenant(bankAnswers.list, ({ db, query }) => selectAnswerPage(db, query));
  implement.data(bankAnswers.undo, ({ db, caller, params }) => undoAnswer(db, caller, params.id));
}
