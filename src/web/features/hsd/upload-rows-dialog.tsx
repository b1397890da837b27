import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { hsdUploadRowColumns } from '../../../shared/columns/hsd-verification-columns.ts';
import type { HsdUpload, HsdUploadRow } from '../../../shared/contract/hsd-verification.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { DataGrid } from '../../kit/grid/data-grid.tsx';
import { useDialogList, useDialogPage } from '../../kit/records/dialog-list.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { hsdVerification } from '../../resources/hsd-verification.ts';
import { differenceCells, openChallan } from './result-tables.tsx';

const keyOf = ({ row }: HsdUploadRow): string => String(row);
const noChallan = 'This row has no challan';
const open = ({ challanId }: HsdUploadRow): void => {
  if (challanId === null) notify.info(noChallan, { kind: noChallan, many: () => noChallan });
  else openChallan(challanId);
};

/** The rows of a past verification (docs/specification.md §11.8). Each opens its challan. */
export default function UploadRowsDialog({ upload, onClose }: { upload: HsdUpload; onClose: () => void }) {
  const place = useDialogPage();
  const query = hsdVerification.useListUploadRows({ params: { id: upload.id }, query: place[0] });
  const { list, grid } = useDialogList<HsdUploadRow>(query, place, 'Failed to fetch the rows of the file', 'rows');
  return (
    <Dialog
      size="2xl"
      closeOnOutside
      title={upload.fileName}
      description={`Uploaded on ${formatDateTime(upload.createdAt)} by ${upload.createdBy}: ${formatCount(upload.validMatches)} of ${formatCount(upload.totalRecords)} rows matched. Amounts are those of that time.`}
      onClose={onClose}
      initialFocus={list}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div ref={list} tabIndex={-1} className="flex h-[60vh] min-h-60 flex-col outline-none">
        <DataGrid<HsdUploadRow>
          label="Rows of the file"
          memoryKey="hsd-upload-rows"
          columns={hsdUploadRowColumns}
          cells={differenceCells}
          keyOf={keyOf}
          empty={
            <EmptyState title="No rows were kept of this file">
              It had no rows below its headings, or another program uploaded it.
            </EmptyState>
          }
          onOpen={open}
          openLabel="Open the challan in a new tab"
          {...grid}
        />
      </div>
    </Dialog>
  );
}
