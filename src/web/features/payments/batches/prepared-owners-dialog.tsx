import { countText, namesText } from '../../../../shared/calc/count-text.ts';
import { formatINR, subtract, sum } from '../../../../shared/calc/money.ts';
import { preparedOwnerColumns } from '../../../../shared/columns/prepared-payment-columns.ts';
import {
  preparedPayments as contract,
  type PreparedOwner,
  type PreparedPayment,
} from '../../../../shared/contract/prepared-payments.ts';
import { ConfirmButton } from '../../../kit/actions/confirm-button.tsx';
import { newIdempotencyKey } from '../../../kit/api/idempotency-key.ts';
import { confirm } from '../../../kit/feedback/confirm.tsx';
import { notify } from '../../../kit/feedback/toast.ts';
import { useReasonField } from '../../../kit/forms/use-reason.ts';
import { DataGrid } from '../../../kit/grid/data-grid.tsx';
import { useRowSelection } from '../../../kit/grid/row-selection.ts';
import { SelectionFooter } from '../../../kit/grid/selection-footer.tsx';
import { useDialogList, useDialogPage } from '../../../kit/records/dialog-list.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { TextArea } from '../../../kit/ui/text-field.tsx';
import { preparedPayments } from '../../../resources/prepared-payments.ts';

const keyOf = ({ ownerId }: PreparedOwner): string => ownerId;
const labelOf = ({ name }: PreparedOwner): string => `Leave ${name} out`;
const isLeftOut = (row: PreparedOwner): boolean => row.isLeftOut;
const reasonSchema = contract.release.body.shape.leaveOut.unwrap().shape.reason;
/** Where nobody was left out. */
const columnsOfAll = preparedOwnerColumns.filter(({ key }) => key !== 'isLeftOut');

/** Lists who a prepared payment pays. Who may release it can leave some of them out. */
export function PreparedOwnersDialog({ row, onClose }: { row: PreparedPayment; onClose: (isDone?: boolean) => void }) {
  const { id, number, preparedBy } = row;
  const canRelease = row.cannotRelease === null && !row.isReversal && row.ownerCount > 1;
  const place = useDialogPage();
  const query = preparedPayments.useOwners({ params: { id }, query: place[0] });
  const { list, grid } = useDialogList<PreparedOwner>(query, place, 'Failed to fetch the owners', 'owners');
  const { ids, selection, clear, selected, offPageCount } = useRowSelection(grid.rows, { keyOf, labelOf });
  const { reason, field, refuse, fieldProps } = useReasonField();
  const { mutateAsync: release } = preparedPayments.useRelease();

  const releaseRest = async (): Promise<void> => {
    const out = selected();
    const checked = reasonSchema.safeParse(reason);
    if (!checked.success) {
      refuse(checked.error.issues[0]?.message);
      return;
    }
    const names = namesText(
      out.map(({ name }) => name),
      'owner',
    );
    const challans = row.challanCount - out.reduce((count, { challanCount }) => count + challanCount, 0);
    const amount = subtract(row.amount, sum(out.map((owner) => owner.amount)));
    let done: PreparedPayment | undefined;
    const idempotencyKey = newIdempotencyKey();
    await confirm({
      title: `Release ${number} without ${countText(out.length, 'owner')}?`,
      body: `${countText(challans, 'challan')} of ${countText(row.ownerCount - out.length, 'owner')}, ${formatINR(amount)} are marked as paid. Left out, back to ${preparedBy}: ${names}.`,
      confirmLabel: 'Release the Rest',
      act: async () => {
        const leaveOut = { ownerIds: [...ids], reason: checked.data };
        done = (await release({ params: { id }, body: { leaveOut }, idempotencyKey })).data;
      },
      failed: 'Failed to release',
    });
    if (!done) return;
    notify.success(`${number} released without ${countText(out.length, 'owner')}: ${done.payment?.number ?? ''}`);
    onClose(true);
  };

  return (
    <Dialog
      size="lg"
      closeOnOutside={ids.size === 0}
      title={`Owners of ${number}`}
      description={
        canRelease ? 'Space chooses an owner to leave out. The others can be released without it.' : undefined
      }
      onClose={onClose}
      initialFocus={list}
      footer={
        <>
          <Button onClick={() => onClose()}>Close</Button>
          {canRelease && (
            <ConfirmButton
              label="Release the Rest"
              run={() => void releaseRest()}
              calls={preparedPayments.calls.release}
              disabledReason={
                ids.size === 0
                  ? 'Choose the owners to leave out first'
                  : ids.size === row.ownerCount
                    ? 'Nothing is left to release. Send it back instead.'
                    : undefined
              }
            />
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <div ref={list} tabIndex={-1} className="flex h-[46vh] min-h-60 flex-col outline-none">
          <DataGrid<PreparedOwner>
            label="Owners of what was prepared"
            memoryKey="prepared-owners"
            columns={row.leftOut ? preparedOwnerColumns : columnsOfAll}
            keyOf={keyOf}
            empty="No owners"
            isMuted={isLeftOut}
            {...(canRelease && { selection })}
            footer={
              ids.size > 0 && (
                <SelectionFooter count={ids.size} details=" to leave out" offPageCount={offPageCount} onClear={clear} />
              )
            }
            {...grid}
          />
        </div>
        {canRelease && ids.size > 0 && (
          <TextArea
            {...fieldProps}
            ref={field}
            required
            maxLength={500}
            hint={`${preparedBy} reads it under To Release`}
          />
        )}
      </div>
    </Dialog>
  );
}
