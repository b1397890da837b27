import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { hsdUploadRowColumns } from '../../../shared/columns/hsd-verification-columns.ts';
import type { HsdUpload, HsdUploadRow } from '../../../shared/contract/hsd-verification.ts';
import { pagesOf } from '../../kit/api/create-resource.ts';
import { gridStatusOf } from '../../kit/feedback/grid-status.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { DataGrid } from '../../kit/grid/data-grid.tsx';
import type { GridHandle } from '../../kit/grid/grid-types.ts';
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
  const [{ page, limit }, setPlace] = useState({ page: 1, limit: 20 });
  const query = hsdVerification.useListUploadRows({ params: { id: upload.id }, query: { page, limit } });
  const rows = query.data?.data;
  const grid = useRef<GridHandle<HsdUploadRow>>(null);
  const list = useRef<HTMLDivElement>(null);
  const isLoaded = rows !== undefined;
  useEffect(() => {
    if (isLoaded && document.activeElement === list.current) grid.current?.focusFirstRow();
  }, [isLoaded]);
  return (
    <Dialog
      size="xl"
      closeOnOutside
      title={upload.fileName}
      description={`Uploaded on ${formatDateTime(upload.createdAt)} by ${upload.createdBy}: ${formatCount(upload.validMatches)} of ${formatCount(upload.totalRecords)} rows matched. Amounts are those of that time.`}
      onClose={onClose}
      initialFocus={list}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div ref={list} tabIndex={-1} className="flex h-[60vh] min-h-60 flex-col outline-none">
        <DataGrid<HsdUploadRow>
          ref={grid}
          label="Rows of the file"
          memoryKey="hsd-upload-rows"
          columns={hsdUploadRowColumns}
          cells={differenceCells}
          rows={rows}
          keyOf={keyOf}
          status={gridStatusOf(query, 'Failed to fetch the rows of the file')}
          empty={
            <EmptyState title="No rows were kept of this file">
              It had no rows below its headings, or another program uploaded it.
            </EmptyState>
          }
          onOpen={open}
          openLabel="Open the challan in a new tab"
          loadPage={pagesOf(query, ({ data }) => data)}
          pager={{
            page,
            limit,
            totalCount: query.data?.pagination.totalCount ?? 0,
            noun: 'rows',
            onPage: (next) => setPlace({ page: next, limit }),
            onLimit: (next) => setPlace({ page: 1, limit: next }),
          }}
        />
      </div>
    </Dialog>
  );
}
