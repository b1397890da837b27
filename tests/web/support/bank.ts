import type { LayoutDefinition } from '../../../src/shared/bank/layout.ts';
import type { BankAccount } from '../../../src/shared/contract/bank-accounts.ts';
import type { CheckedLine } from '../../../src/shared/contract/bank-files.ts';
import type { BankLayout } from '../../../src/shared/contract/bank-layouts.ts';
import { buildPayment, idOf } from './builders.ts';

/** What the screens of bank files are shown with (docs/specification.md §24). */

const definition: LayoutDefinition = {
  kind: 'separated',
  separator: ',',
  fileName: '{client}{DD}{MM}',
  extension: '{serial:3}',
  lineEnd: 'LF',
  heading: false,
  signs: '-',
  header: [],
  fields: [
    { label: 'Reference', source: 'reference', length: 20 },
    { label: 'Name', source: 'name', length: 20 },
    { label: 'Account', source: 'accountNo', length: 20 },
    { label: 'Amount', source: 'amount', length: 20 },
  ],
  trailer: [],
};

export const shipped: BankLayout = { id: 'A', name: 'Comma text', isShipped: true, version: 0, definition };
export const ownLayout: BankLayout = { id: idOf(31), name: 'Our bank', isShipped: false, version: 4, definition };

export const account: BankAccount = {
  id: idOf(41),
  name: 'SBI current',
  accountNo: '30123456789',
  ifsc: 'SBIN0000555',
  layout: 'A',
  clientCode: 'MTRL',
  fileLimit: '0.00',
  rtgsFloor: '200000.00',
  impsCeiling: '500000.00',
  createdAt: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:00:00.000Z',
  version: 1,
};

export const payment = buildPayment(2, { updatedCount: 6, totalAmount: '253500.50', ownerCount: 6 });

/** A line of the payment to an owner of another bank than the paying one. */
export const buildLine = (n: number, name: string, over: Partial<CheckedLine> = {}): CheckedLine => ({
  batchId: payment.id,
  paymentNumber: payment.number,
  ownerId: idOf(500 + n),
  name,
  accountNo: `5010000000${n}`,
  ifsc: 'HDFC0001234',
  branch: 'Joda',
  challanCount: 1,
  amount: '1000.00',
  hold: null,
  today: null,
  sent: null,
  failedTransfer: null,
  isImported: false,
  route: 'NEFT',
  linesBefore: 0,
  ...over,
});
