import { bankFiles } from '../../resources/bank-files.ts';
import { groupCommand } from '../challans/index.ts';
import { paymentBatches } from '../../resources/payment-batches.ts';
import { commandTable } from '../../kit/actions/registry.ts';

const { calls } = paymentBatches;

/** The commands of a payment's details as data. */
export const paymentDetailsCommands = commandTable('Payment details', {
  previous: { id: 'payment.previous', label: 'Previous payment', keys: 'Ctrl+↑' },
  next: { id: 'payment.next', label: 'Next payment', keys: 'Ctrl+↓' },
  excel: { id: 'payment.excel', label: 'Download Excel', keys: 'Ctrl+Shift+E', calls: calls.exportXlsx },
  csv: { id: 'payment.csv', label: 'Download CSV', keys: 'Ctrl+E', calls: calls.exportCsv },
  reverse: { id: 'payment.reverse', label: 'Undo Payment', keys: 'U', calls: calls.reverse },
  advice: { id: 'payment.advice', label: 'Payment Advice', keys: 'P', calls: calls.advice },
  bankFile: { id: 'payment.bank-file', label: 'Bank File', keys: 'B', calls: bankFiles.calls.create },
  write: { id: 'payment.write', label: 'Write to Owners', keys: 'W', calls: calls.writeTo },
  group: groupCommand('payment', 'Shift+B'),
  search: { id: 'payment.search', label: 'Search its owners', keys: '/' },
});

/** The commands of the Bank File dialog. */
export const bankFileCommands = commandTable('Bank file', {
  make: { id: 'bank-file.make', label: 'Make and Download', keys: 'Ctrl+Enter' },
  route: { id: 'bank-file.route', label: 'Change Route', keys: 'R' },
});

/** The command of the dialog that sends a message to the owners of a payment. */
export const writeCommands = commandTable('Write to owners', {
  write: { id: 'payment.write-to', label: 'Open WhatsApp', keys: 'W' },
});
