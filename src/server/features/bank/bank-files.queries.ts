import type { NamedLayout } from '../../../shared/bank/layout.ts';
import type { BankAccount } from '../../../shared/contract/bank-accounts.ts';
import type { BankFile } from '../../../shared/contract/bank-files.ts';
import type { Caller } from '../../caller.ts';
import type { TenantDb } from '../../db/tenant.ts';
import { actorName } from '../../sql/actor.ts';
import { selectPage, type Page, type Paging } from '../../sql/paging.ts';

/** SQL: selects files without their content, which only the download needs. */
const selectFiles = (which: string) => `
  WITH f AS (
    SELECT id, number, created_at, created_by, account_name, layout_name, file_name, serial, value_on, sha256, line_count,
      amount, left_out_count, left_out_amount
    FROM bank_files ${which}
  )
  SELECT f.id, f.number, f.created_at AS "createdAt", ${actorName('maker')} AS "createdBy", f.account_name AS "accountName",
    f.layout_name AS "layoutName", f.file_name AS "fileName", f.serial, f.value_on AS "valueOn", f.sha256,
    f.line_count AS "lineCount", f.amount, f.left_out_count AS "leftOutCount", f.left_out_amount AS "leftOutAmount",
    s.payments, s.executed AS "executedCount", s.failed AS "failedCount", s.returned AS "returnedCount",
    f.line_count - s.executed - s.failed - s.returned AS "inFileCount"
  FROM f JOIN accounts maker ON maker.id = f.created_by
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE e.event = 'executed')::int AS executed,
        count(*) FILTER (WHERE e.event = 'failed')::int AS failed,
        count(*) FILTER (WHERE e.event = 'returned')::int AS returned,
        array_agg(DISTINCT b.number ORDER BY b.number) AS payments
      FROM bank_file_lines l
        JOIN payment_batches b ON b.subadmin_id = $1 AND b.id = l.batch_id
        LEFT JOIN LATERAL (
          SELECT event FROM bank_line_events
          WHERE subadmin_id = $1 AND file_id = l.file_id AND line_no = l.line_no ORDER BY event_no DESC LIMIT 1
        ) AS e ON true
      WHERE l.subadmin_id = $1 AND l.file_id = f.id
    ) AS s
  ORDER BY f.created_at DESC, f.id DESC`;

/** Returns a page of the bank files, the newest first. */
export const selectBankFiles = (db: TenantDb, paging: Paging): Promise<Page<BankFile>> =>
  selectPage(
    db,
    paging,
    'bank_files WHERE subadmin_id = $1',
    selectFiles('WHERE subadmin_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3'),
    [db.tenantId],
    'select-bank-files',
  );

export async function selectBankFile(db: TenantDb, id: string): Promise<BankFile | undefined> {
  const [file] = await db.records<BankFile>(
    selectFiles('WHERE subadmin_id = $1 AND id = $2'),
    [db.tenantId, id],
    'select-bank-file',
  );
  return file;
}

export function selectBankFileContent(
  db: TenantDb,
  id: string,
): Promise<{ file_name: string; content: Buffer } | undefined> {
  return db.first<{ file_name: string; content: Buffer }>(
    'SELECT file_name, content FROM bank_files WHERE subadmin_id = $1 AND id = $2',
    [db.tenantId, id],
    'select-bank-file-content',
  );
}

/**
 * Returns the next serial number of the account on a day. The account's lock keeps it free until the transaction ends.
 */
export async function selectNextSerial(db: TenantDb, bankAccountId: string, fileOn: string): Promise<number> {
  const { serial } = await db.one<{ serial: number }>(
    `SELECT coalesce(max(serial), 0)::int + 1 AS serial FROM bank_files
     WHERE subadmin_id = $1 AND bank_account_id = $2 AND file_on = $3::date`,
    [db.tenantId, bankAccountId, fileOn],
    'select-next-bank-file-serial',
  );
  return serial;
}

export interface NewBankFile {
  number: string;
  account: BankAccount;
  layout: NamedLayout;
  fileName: string;
  fileOn: string;
  valueOn: string;
  serial: number;
  content: Buffer;
  sha256: string;
  lineCount: number;
  amount: string;
  leftOutCount: number;
  leftOutAmount: string;
}

export async function insertBankFile(db: TenantDb, caller: Caller, file: NewBankFile): Promise<string> {
  const { id } = await db.one<{ id: string }>(
    `INSERT INTO bank_files
       (subadmin_id, number, bank_account_id, account_name, account_no, ifsc, layout_name, layout, file_name, file_on,
        value_on, serial, content, sha256, line_count, amount, left_out_count, left_out_amount, screen, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
     RETURNING id`,
    [
      db.tenantId,
      file.number,
      file.account.id,
      file.account.name,
      file.account.accountNo,
      file.account.ifsc,
      file.layout.name,
      JSON.stringify(file.layout.definition),
      file.fileName,
      file.fileOn,
      file.valueOn,
      file.serial,
      file.content,
      file.sha256,
      file.lineCount,
      file.amount,
      file.leftOutCount,
      file.leftOutAmount,
      caller.screen,
      caller.accountId,
    ],
    'insert-bank-file',
  );
  return id;
}
