import { useEffect, useMemo, useRef, useState } from 'react';
import { FileSpreadsheet, FileText } from 'lucide-react';
import { statementPrintColumns } from '../../../shared/columns/owner-statement-columns.ts';
import type { StatementPrint } from '../../../shared/contract/owner-statements.ts';
import { useActions, type Action } from '../../kit/actions/registry.ts';
import { pagesOf } from '../../kit/api/create-resource.ts';
import { ownerStatements } from '../../resources/owner-statements.ts';
import { gridStatusOf } from '../../kit/feedback/grid-status.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { DataGrid } from '../../kit/grid/data-grid.tsx';
import type { GridHandle, RowAction } from '../../kit/grid/grid-types.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { downloadStatement } from './download-statement.ts';

const keyOf = ({ id }: StatementPrint): string => id;
const downloadPdf = (print: StatementPrint): void => void downloadStatement(print, 'pdf');
const downloadExcel = (print: StatementPrint): void => void downloadStatement(print, 'xlsx');

/** Lists the printed statements of an owner, the newest first, to download them again. */
export function PrintedStatementsDialog({ ownerId, onClose }: { ownerId: string; onClose: () => void }) {
  const [{ page, limit }, setPlace] = useState({ page: 1, limit: 20 });
  const grid = useRef<GridHandle<StatementPrint>>(null);
  const query = ownerStatements.useList({ query: { ownerId, page, limit } });
  const list = useRef<HTMLDivElement>(null);
  const isLoaded = query.data !== undefined;
  // The dialog opens with the focus on the list: on its first row as soon as there is one.
  useEffect(() => {
    if (isLoaded && document.activeElement === list.current) grid.current?.focusFirstRow();
  }, [isLoaded]);
  const rowActions = useMemo<RowAction<StatementPrint>[]>(
    () => [
      { id: 'pdf', label: 'Download PDF', icon: <FileText size={15} aria-hidden />, keys: 'Enter', run: downloadPdf },
      {
        id: 'xlsx',
        label: 'Download Excel',
        icon: <FileSpreadsheet size={15} aria-hidden />,
        keys: 'Ctrl+Shift+E',
        run: downloadExcel,
      },
    ],
    [],
  );
  return (
    <Dialog
      size="xl"
      closeOnOutside
      title="Printed statements"
      description="Each statement is kept as it was printed"
      onClose={onClose}
      initialFocus={list}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <RowKeys
        download={() => {
          const row = grid.current?.focusedRow();
          if (row) downloadExcel(row);
          else notify.info('Select a statement in the table first');
        }}
      />
      <div ref={list} tabIndex={-1} className="flex h-[60vh] min-h-72 flex-col outline-none">
        <DataGrid<StatementPrint>
          ref={grid}
          label="Printed statements"
          memoryKey="owner-statement-prints"
          columns={statementPrintColumns}
          rows={query.data?.data}
          keyOf={keyOf}
          status={gridStatusOf(query, 'Failed to fetch the printed statements')}
          rowActions={rowActions}
          onOpen={downloadPdf}
          openLabel="Download the PDF"
          ownFile="row"
          empty={
            <EmptyState title="No printed statements yet">
              Print Statement (P) freezes the statement on the screen and gives it a number.
            </EmptyState>
          }
          loadPage={pagesOf(query, ({ data }) => data)}
          pager={{
            page,
            limit,
            totalCount: query.data?.pagination.totalCount ?? 0,
            noun: 'statements',
            onPage: (next) => setPlace({ page: next, limit }),
            onLimit: (next) => setPlace({ page: 1, limit: next }),
          }}
        />
      </div>
    </Dialog>
  );
}

/** Rendered inside the dialog, so that its key belongs to the dialog. */
function RowKeys({ download }: { download: () => void }): null {
  const action: Action = {
    id: 'owner-statement-prints.excel',
    label: 'Download Excel',
    keys: 'Ctrl+Shift+E',
    scope: 'Printed statements',
    run: download,
  };
  useActions([action]);
  return null;
}
