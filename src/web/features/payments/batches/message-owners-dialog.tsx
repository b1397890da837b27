import { useCallback, useEffect, useRef, useState } from 'react';
import { countText, formatCount } from '../../../../shared/calc/count-text.ts';
import { hasMobile } from '../../../../shared/calc/identity.ts';
import type { Column } from '../../../../shared/columns/define.ts';
import type { OwnerToWrite } from '../../../../shared/contract/payment-batches.ts';
import { writeCommands } from '../payment-batch-actions.ts';
import { useCommands } from '../../../kit/actions/registry.ts';
import { paymentBatches } from '../../../resources/payment-batches.ts';
import { gridStatusOf } from '../../../kit/feedback/grid-status.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { isWhatsappUrl, openWhatsappTab, showWhatsapp } from '../../../kit/feedback/whatsapp-tab.ts';
import { DataGrid } from '../../../kit/grid/data-grid.tsx';
import type { GridHandle } from '../../../kit/grid/grid-types.ts';
import { Alert } from '../../../kit/ui/alert.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';

const columns: readonly Column<OwnerToWrite>[] = [
  { key: 'name', label: 'Owner', kind: 'text', width: 200, least: 134 },
  {
    key: 'contactNumber',
    label: 'Phone',
    kind: 'identifier',
    width: 130,
    least: 106,
    empty: 'No mobile number',
    value: ({ contactNumber }) => (hasMobile(contactNumber) ? contactNumber : null),
  },
  { key: 'language', label: 'Language', kind: 'text', width: 96, least: 90 },
  { key: 'challanCount', label: 'Challans', kind: 'count', width: 88 },
  { key: 'amount', label: 'Still Paid', kind: 'money', width: 130 },
  { key: 'utr', label: 'UTR', kind: 'identifier', width: 150 },
  {
    key: 'state',
    label: 'Message',
    kind: 'status',
    width: 120,
    least: 106,
    value: ({ sentCount }) =>
      sentCount === 0
        ? { label: 'Not written', tone: 'neutral' }
        : { label: sentCount === 1 ? 'Written' : `Written ${sentCount}×`, tone: 'good' },
  },
  { key: 'sentAt', label: 'Written At', kind: 'datetime', width: 140 },
  { key: 'sentBy', label: 'Written By', kind: 'text', width: 150, isOffered: true },
];

const keyOf = ({ ownerId }: OwnerToWrite): string => ownerId;
const failedText = 'Failed to write to this owner';
const maxNames = 5;

/** The next owner after this one who has a mobile number and has no message yet. The search wraps around at the end. */
function nextAfter(rows: readonly OwnerToWrite[], ownerId: string): OwnerToWrite | undefined {
  const at = rows.findIndex((row) => row.ownerId === ownerId) + 1;
  return [...rows.slice(at), ...rows.slice(0, at)].find(
    (row) => row.ownerId !== ownerId && row.sentCount === 0 && hasMobile(row.contactNumber),
  );
}

/** Lists the owners of a payment. Each can be messaged in WhatsApp (docs/specification.md §10.9). */
export default function MessageOwnersDialog({ batchId, onClose }: { batchId: string; onClose: () => void }) {
  const query = paymentBatches.useListMessages({ params: { id: batchId } });
  const rows = query.data?.data;
  const grid = useRef<GridHandle<OwnerToWrite>>(null);
  const statusRef = useRef<HTMLParagraphElement>(null);
  const { mutateAsync } = paymentBatches.useWriteTo();
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);

  // The focus starts on the first owner without a message. The grid is a chunk of its own and may be loaded after its
  // rows, so the effect waits for both.
  const [isGridReady, setGridReady] = useState(false);
  const attach = useCallback((handle: GridHandle<OwnerToWrite> | null) => {
    grid.current = handle;
    if (handle) setGridReady(true);
  }, []);
  const hasFocusBeenSet = useRef(false);
  useEffect(() => {
    if (hasFocusBeenSet.current || !rows || !isGridReady) return;
    hasFocusBeenSet.current = true;
    const first = nextAfter(rows, '') ?? rows[0];
    if (first) grid.current?.focusRow(first.ownerId);
  }, [rows, isGridReady]);

  const write = async (row: OwnerToWrite): Promise<void> => {
    if (isRunning.current) return;
    if (!hasMobile(row.contactNumber)) {
      notify.error(`${row.name} has no mobile number (${row.contactNumber}).`);
      return;
    }
    isRunning.current = true;
    setBusy(true);
    const tab = openWhatsappTab('The message is being prepared…');
    try {
      const { data } = await mutateAsync({ params: { id: batchId }, body: { ownerId: row.ownerId } });
      if (!isWhatsappUrl(data.whatsappUrl)) {
        tab?.close();
        notify.error(failedText);
        return;
      }
      showWhatsapp(tab, data.whatsappUrl, {
        ready: 'The message is ready',
        sent: `Message to ${data.ownerName} opened in WhatsApp`,
      });
      const next = nextAfter(rows ?? [], row.ownerId);
      if (next) grid.current?.focusRow(next.ownerId);
    } catch (error) {
      tab?.close();
      notify.error(error, failedText);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  const focused = (): OwnerToWrite | undefined => grid.current?.activeRow();

  const messagedCount = rows?.filter(({ sentCount }) => sentCount > 0).length ?? 0;
  const withoutMobile = rows?.filter(({ contactNumber }) => !hasMobile(contactNumber)) ?? [];
  const names = withoutMobile.slice(0, maxNames).map(({ name, contactNumber }) => `${name} (${contactNumber})`);
  const more = withoutMobile.length - names.length;
  return (
    <Dialog
      size="xl"
      title="Write to the owners of this payment"
      description="Enter opens WhatsApp with the message. You send it there."
      onClose={onClose}
      initialFocus={statusRef}
      footer={
        <>
          <DialogKeys
            write={() => {
              const row = focused();
              if (row) void write(row);
            }}
          />
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <div className="flex h-[62vh] min-h-72 flex-col gap-3">
        <p ref={statusRef} tabIndex={-1} role="status" aria-busy={isBusy} className="outline-none">
          {rows
            ? `${formatCount(messagedCount)} of ${countText(rows.length, 'owner')} written to`
            : 'Loading the owners …'}
        </p>
        {withoutMobile.length > 0 && (
          <Alert tone="warn" title={`No mobile number: ${countText(withoutMobile.length, 'owner')}`}>
            {names.join(', ')}
            {more > 0 && ` and ${formatCount(more)} more`}
          </Alert>
        )}
        <div className="flex min-h-40 flex-1 flex-col">
          <DataGrid<OwnerToWrite>
            ref={attach}
            label="Owners to write to"
            memoryKey="payment-messages"
            columns={columns}
            rows={rows}
            keyOf={keyOf}
            status={gridStatusOf(query, 'Failed to fetch the owners')}
            empty="This payment no longer pays anybody"
            onOpen={(row) => void write(row)}
            openLabel="Open WhatsApp"
            isMuted={isMessaged}
          />
        </div>
      </div>
    </Dialog>
  );
}

const isMessaged = ({ sentCount }: OwnerToWrite): boolean => sentCount > 0;

/** Rendered inside the dialog, so that its keys win over those of the screen below. */
function DialogKeys({ write }: { write: () => void }) {
  useCommands(writeCommands, { write });
  return null;
}
