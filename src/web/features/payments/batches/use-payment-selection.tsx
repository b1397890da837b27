import { useCallback, type ReactNode } from 'react';
import { FileDown } from 'lucide-react';
import { canSendToBank, reasonOf } from '../../../../shared/access.ts';
import type { PaymentBatch } from '../../../../shared/contract/payment-batches.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { useRowSelection } from '../../../kit/grid/row-selection.ts';
import { SelectionFooter } from '../../../kit/grid/selection-footer.tsx';
import { Button } from '../../../kit/ui/button.tsx';

/** The largest number of payments that one bank file is made of (docs/specification.md §24.4). */
const maxPayments = 50;

const selectionOptions = {
  keyOf: ({ id }: PaymentBatch): string => id,
  labelOf: ({ number }: PaymentBatch): string => `Select ${number}`,
  disabledReason: (row: PaymentBatch): string | undefined => reasonOf(canSendToBank(row)),
};

/** The selection of payments for one bank file. It spans pages and filters of the list. */
export function usePaymentSelection(
  rows: readonly PaymentBatch[] | undefined,
  send: (batches: readonly PaymentBatch[]) => void,
) {
  const { ids, selection, clear, selected, offPageCount } = useRowSelection(rows, selectionOptions);
  const sendSelected = useCallback((): void => {
    const batches = selected();
    if (batches.length <= maxPayments) send(batches);
    else notify.warning(`A bank file takes at most ${maxPayments} payments. Deselect some.`);
  }, [send, selected]);
  /** B on a row sends the selection if there is one, or else the row. */
  const sendByKey = useCallback(
    (row: PaymentBatch): void => {
      const reason = selectionOptions.disabledReason(row);
      if (selected().length > 0) sendSelected();
      else if (reason === undefined) send([row]);
      else notify.warning(reason, { kind: reason, many: () => reason });
    },
    [send, selected, sendSelected],
  );
  const { size } = ids;
  const footer: ReactNode = size > 0 && (
    <SelectionFooter count={size} offPageCount={offPageCount} onClear={clear}>
      <Button size="sm" variant="primary" keys="B" icon={<FileDown size={14} aria-hidden />} onClick={sendSelected}>
        Bank File
      </Button>
    </SelectionFooter>
  );
  return { selection, footer, clear, sendByKey };
}
