import { createHash } from 'node:crypto';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { dayOf, formatDate } from '../../../shared/calc/dates.ts';
import { ownerStatementName } from '../../../shared/calc/file-names.ts';
import { add, compare, subtract, sum } from '../../../shared/calc/money.ts';
import { statementColumns } from '../../../shared/columns/owner-statement-columns.ts';
import type { TableLine } from '../../../shared/columns/define.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import type {
  ownerStatements,
  Statement,
  StatementLine,
  StatementPrint,
} from '../../../shared/contract/owner-statements.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { writeOwnerStatement } from './owner-statement.file.ts';
import { pdfContentType, type PdfBusiness } from '../../files/pdf.ts';
import { tableFile, type TableFile } from '../../files/table-file.ts';
import { takeTurns } from '../../sql/conflicts.ts';
import { takeOwnerStatementNumber } from '../../sql/counters.ts';
import {
  insertStatementPrint,
  selectLastPrint,
  selectStatementLines,
  selectStatementOwner,
  selectStatementPrint,
  type StatementPeriod,
} from './owner-statements.queries.ts';
import { selectAdviceBusiness } from '../payments/payment-advice.queries.ts';
import { fieldRefusal, notFound } from '../../refusal.ts';

/** Statements of what an owner is owed and why (docs/specification.md §26). */

/** A statement has at most this many lines. A screen cannot show more, and drawing them would block the server. */
const maxLines = 5_000;

/**
 * Returns the statement of an owner and a period with the current figures. Every statement is made by this function.
 */
export async function getStatement(db: TenantDb, ownerId: string, period: StatementPeriod): Promise<Statement> {
  if (period.endDate > dayOf(new Date())) {
    throw fieldRefusal('VALIDATION_ERROR', 'endDate', 'A statement ends today at the latest');
  }
  const owner = await selectStatementOwner(db, ownerId);
  if (!owner) throw notFound('Owner');
  const { opening, count, lines } = await selectStatementLines(db, ownerId, period, maxLines);
  if (count > maxLines) {
    const message = `This period has ${formatCount(count)} lines, a statement at most ${formatCount(maxLines)}. Choose a shorter period.`;
    throw fieldRefusal('VALIDATION_ERROR', 'startDate', message);
  }
  const total = (of: (line: StatementLine) => string | null): string =>
    sum(['0.00', ...lines.map((line) => of(line) ?? '0.00')]);
  const totals = {
    freight: total(({ freight }) => freight),
    tds: total(({ tds }) => tds),
    hsd: total(({ hsd }) => hsd),
    advance: total(({ advance }) => advance),
    office: total(({ office }) => office),
    shortage: total(({ shortage }) => shortage),
    payable: total(({ payable }) => payable),
    paid: total(({ paid }) => paid),
  };
  const closing = lines.at(-1)?.balance ?? opening;
  // Check: the lines must add up to the difference of the two balances. A statement that does not is not shown.
  if (compare(add(opening, subtract(totals.payable, totals.paid)), closing) !== 0)
    throw new Error('The lines of a statement do not agree with its balances');
  return { owner, ...period, opening, closing, totals, lines };
}

/** The content that a print stores and that its files are written from. */
interface PrintContent {
  business: PdfBusiness;
  statement: Statement;
}

/**
 * Stores a snapshot of the statement under a number of its own. When the last print of this owner and period says exactly
 * the same, it is returned instead: prints are kept for ever.
 */
export async function printStatement(
  db: TenantDb,
  caller: Caller,
  { ownerId, startDate, endDate }: BodyOf<typeof ownerStatements.print>,
): Promise<StatementPrint> {
  // One print at a time, so that of two at once the second sees the first.
  await takeTurns(db, 'statement-prints');
  const period = { startDate, endDate };
  const statement = await getStatement(db, ownerId, period);
  const printed: PrintContent = { business: await selectAdviceBusiness(db), statement };
  const content = JSON.stringify(printed);
  const sha256 = createHash('sha256').update(content).digest();
  const last = await selectLastPrint(db, ownerId, period);
  if (last?.sha256.equals(sha256)) return (await readPrint(db, last.id)).print;
  const { number, at } = await takeOwnerStatementNumber(db);
  const id = await insertStatementPrint(db, caller, {
    number,
    at,
    ownerId,
    ownerName: statement.owner.name,
    ...period,
    opening: statement.opening,
    closing: statement.closing,
    lineCount: statement.lines.length,
    content,
    sha256,
  });
  return (await readPrint(db, id)).print;
}

export async function readPrint(db: TenantDb, id: string): Promise<PrintContent & { print: StatementPrint }> {
  const found = await selectStatementPrint(db, id);
  if (!found) throw notFound('Statement');
  const { print, content, sha256 } = found;
  if (!createHash('sha256').update(content).digest().equals(sha256))
    throw new Error(`Statement ${print.number} is not as it was printed`);
  // The cast is safe: printStatement wrote the text, and its hash was checked.
  return { print, ...(JSON.parse(content) as PrintContent) };
}

export async function statementPdf(db: TenantDb, id: string): Promise<TableFile> {
  const { print, business, statement } = await readPrint(db, id);
  const { number, createdAt } = print;
  return {
    name: `${ownerStatementName(number, print.ownerName)}.pdf`,
    contentType: pdfContentType,
    write: (sink) => writeOwnerStatement(sink, { business, statement, number, at: new Date(createdAt) }),
  };
}

export async function statementXlsx(db: TenantDb, id: string): Promise<TableFile> {
  const { print, statement } = await readPrint(db, id);
  const { number, ownerName, startDate, endDate } = print;
  const period =
    startDate === null ? `until ${formatDate(endDate)}` : `${formatDate(startDate)} to ${formatDate(endDate)}`;
  return tableFile('xlsx', {
    name: `${ownerStatementName(number, ownerName)}.xlsx`,
    sheet: number,
    columns: statementColumns,
    intro: `Owner statement ${number} of ${ownerName}, ${period}`,
    lines: sheetLines(statement),
  });
}

async function* sheetLines({ opening, closing, totals, lines }: Statement): AsyncGenerator<TableLine<StatementLine>[]> {
  yield [{ sums: { kind: 'Opening balance', balance: opening } }, ...lines.map((row) => ({ row }))];
  yield [{ sums: { kind: 'Closing balance', ...totals, balance: closing } }];
}
