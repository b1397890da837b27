import { bankFiles } from '../../resources/bank-files.ts';
import { groupAction } from '../challans/index.ts';
import { paymentBatches } from '../../resources/payment-batches.ts';
import { useActions, useActionTable } from '../../kit/actions/registry.ts';

/** The commands of a payment's details as data. */
export interface PaymentDetailsCommands {
  excel: () => void;
  download: () => void;
  reverse: () => void;
  reverseReason: string | undefined;
  advice: () => void;
  bankFile: () => void;
  bankFileReason: string | undefined;
  write: () => void;
  group: () => void;
  groupReason: string | undefined;
  previous: () => void;
  next: () => void;
  previousReason: string | undefined;
  nextReason: string | undefined;
  search: () => void;
  searchReason: string | undefined;
}

export function usePaymentDetailsActions(commands: PaymentDetailsCommands) {
  const scope = 'Payment details';
  const { calls } = paymentBatches;
  return useActionTable(scope, {
    previous: {
      id: 'payment.previous',
      label: 'Previous payment',
      keys: 'Ctrl+↑',
      disabledReason: commands.previousReason,
      run: commands.previous,
    },
    next: {
      id: 'payment.next',
      label: 'Next payment',
      keys: 'Ctrl+↓',
      disabledReason: commands.nextReason,
      run: commands.next,
    },
    excel: {
      id: 'payment.excel',
      label: 'Download Excel',
      keys: 'Ctrl+Shift+E',
      calls: calls.exportXlsx,
      run: commands.excel,
    },
    csv: {
      id: 'payment.csv',
      label: 'Download CSV',
      keys: 'Ctrl+E',
      calls: calls.exportCsv,
      run: commands.download,
    },
    reverse: {
      id: 'payment.reverse',
      label: 'Undo Payment',
      keys: 'U',
      calls: calls.reverse,
      disabledReason: commands.reverseReason,
      run: commands.reverse,
    },
    advice: {
      id: 'payment.advice',
      label: 'Payment Advice',
      keys: 'P',
      calls: calls.advice,
      disabledReason: commands.bankFileReason,
      run: commands.advice,
    },
    bankFile: {
      id: 'payment.bank-file',
      label: 'Bank File',
      keys: 'B',
      calls: bankFiles.calls.create,
      disabledReason: commands.bankFileReason,
      run: commands.bankFile,
    },
    write: {
      id: 'payment.write',
      label: 'Write to Owners',
      keys: 'W',
      calls: calls.writeTo,
      disabledReason: commands.bankFileReason,
      run: commands.write,
    },
    group: { ...groupAction('payment', 'Shift+B', commands.group), disabledReason: commands.groupReason },
    search: {
      id: 'payment.search',
      label: 'Search its owners',
      keys: '/',
      disabledReason: commands.searchReason,
      run: commands.search,
    },
  });
}

/** The command of the dialog that sends a message to the owners of a payment. */
export function useWriteActions({ write }: { write: () => void }) {
  useActions([{ id: 'payment.write-to', label: 'Open WhatsApp', keys: 'W', scope: 'Write to owners', run: write }]);
}
