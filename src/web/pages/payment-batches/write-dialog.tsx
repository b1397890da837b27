import { useCallback, useEffect, useRef, useState } from 'react';
import { hasMobile } from '../../../shared/calc/identity.ts';
import type { Column } from '../../../shared/columns/define.ts';
import type { OwnerToWrite } from '../../../shared/contract/payment-batches.ts';
import { useWriteActions } from '../../actions/payment-batches.ts';
import { paymentBatches } from '../../api/payment-batches.ts';
import { gridStatusOf } from '../../feedback/grid-status.ts';
import { notify } from '../../feedback/toast.ts';
import { isWhatsappUrl, openTab, showWhatsapp } from '../../feedback/whatsapp-tab.ts';
import { DataGrid } from '../../grid/data-grid.tsx';
import type { GridHandle } from '../../grid/grid-types.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { counted } from './payment-words.ts';

const columns: readonly Column<OwnerToWrite>[] = [
  { key: 'name', label: 'Owner', kind: 'text', width: 200, least: 140 },
  {
    key: 'contactNumber',
    label: 'Phone',
    kind: 'identifier',
    width: 130,
    least: 112,
    empty: 'No mobile number',
    value: ({ contactNumber }) => (hasMobile(contactNumber) ? contactNumber : null),
  },
  { key: 'language', label: 'Language', kind: 'text', width: 96, least: 96 },
  { key: 'challanCount', label: 'Challans', kind: 'count', width: 88 },
  { key: 'amount', label: 'Still Paid', kind: 'money', width: 130 },
  { key: 'utr', label: 'UTR', kind: 'identifier', width: 150 },
  {
    key: 'state',
    label: 'Message',
    kind: 'status',
    width: 120,
    least: 112,
    value: ({ sentCount }) =>
      sentCount === 0
        ? { label: 'Not written', tone: 'neutral' }
        : { label: sentCount === 1 ? 'Written' : `Written ${sentCount}×`, tone: 'good' },
  },
  { key: 'sentAt', label: 'Written At', kind: 'datetime', width: 140 },
  { key: 'sentBy', label: 'Written By', kind: 'text', width: 150, isOffered: true },
];

const keyOf = ({ ownerId }: OwnerToWrite): string => ownerId;
const failed = 'Failed to write to this owner';
const mostNames = 5;

/** The next one after this owner who can be written to and was not; from the top after the last. */
function nextAfter(rows: readonly OwnerToWrite[], ownerId: string): OwnerToWrite | undefined {
  const at = rows.findIndex((row) => row.ownerId === ownerId) + 1;
  return [...rows.slice(at), ...rows.slice(0, at)].find(
    (row) => row.ownerId !== ownerId && row.sentCount === 0 && hasMobile(row.contactNumber),
  );
}

/** The owners of a payment, each opened in WhatsApp with its message (docs/specification.md §10.9). */
export default function WriteDialog({ batchId, onClose }: { batchId: string; onClose: () => void }) {
  const query = paymentBatches.useListMessages({ params: { id: batchId } });
  const rows = query.data?.data;
  const grid = useRef<GridHandle<OwnerToWrite>>(null);
  const start = useRef<HTMLParagraphElement>(null);
  const { mutateAsync } = paymentBatches.useWriteTo();
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);

  // The list begins where it was left: with the first who was not written to.
  // The table is its own chunk: it may come after its rows.
  const [isTable, setTable] = useState(false);
  const attach = useCallback((handle: GridHandle<OwnerToWrite> | null) => {
    grid.current = handle;
    if (handle) setTable(true);
  }, []);
  const wasPlaced = useRef(false);
  useEffect(() => {
    if (wasPlaced.current || !rows || !isTable) return;
    wasPlaced.current = true;
    const first = nextAfter(rows, '') ?? rows[0];
    if (first) grid.current?.focusRow(first.ownerId);
  }, [rows, isTable]);

  const write = async (row: OwnerToWrite): Promise<void> => {
    if (isRunning.current) return;
    if (!hasMobile(row.contactNumber)) {
      notify.error(`${row.name} has no mobile number (${row.contactNumber}).`);
      return;
    }
    isRunning.current = true;
    setBusy(true);
    const tab = openTab('The message is being prepared…');
    try {
      const { data } = await mutateAsync({ params: { id: batchId }, body: { ownerId: row.ownerId } });
      if (!isWhatsappUrl(data.whatsappUrl)) {
        tab?.close();
        notify.error(failed);
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
      notify.error(error, failed);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  const focused = (): OwnerToWrite | undefined => grid.current?.rowInHand();

  const written = rows?.filter(({ sentCount }) => sentCount > 0).length ?? 0;
  const without = rows?.filter(({ contactNumber }) => !hasMobile(contactNumber)) ?? [];
  const names = without.slice(0, mostNames).map(({ name, contactNumber }) => `${name} (${contactNumber})`);
  const more = without.length - names.length;
  return (
    <Dialog
      open
      size="xl"
      title="Write to the owners of this payment"
      description="Enter opens WhatsApp with the message; it is sent there."
      onClose={onClose}
      initialFocus={start}
      footer={
        <>
          <Keys
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
        <p ref={start} tabIndex={-1} role="status" aria-busy={isBusy} className="outline-none">
          {rows
            ? `${written.toLocaleString('en-IN')} of ${counted(rows.length, 'owner')} written to`
            : 'The owners are being loaded'}
        </p>
        {without.length > 0 && (
          <Alert tone="warn" title={`No mobile number: ${counted(without.length, 'owner')}`}>
            {names.join(', ')}
            {more > 0 && ` and ${more.toLocaleString('en-IN')} more`}
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
            empty="This payment pays nobody any more"
            onOpen={(row) => void write(row)}
            openLabel="Open WhatsApp"
            isMuted={isWritten}
          />
        </div>
      </div>
    </Dialog>
  );
}

const isWritten = ({ sentCount }: OwnerToWrite): boolean => sentCount > 0;

/** Inside the dialog, whose keys come before those of what is under it. */
function Keys({ write }: { write: () => void }) {
  useWriteActions({ write });
  return null;
}
