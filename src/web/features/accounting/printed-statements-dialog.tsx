import { useMemo } from 'react';
import { FileSpreadsheet, FileText } from 'lucide-react';
import { statementPrintColumns } from '../../../shared/columns/owner-statement-columns.ts';
import type { StatementPrint } from '../../../shared/contract/owner-statements.ts';
import { useActions, type Action } from '../../kit/actions/registry.ts';
import { ownerStatements } from '../../resources/owner-statements.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { DataGrid } from '../../kit/grid/data-grid.tsx';
import type { RowAction } from '../../kit/grid/grid-types.ts';
import { useDialogList, useDialogPage } from '../../kit/records/dialog-list.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { downloadStatement } from './download-statement.ts';

const keyOf = ({ id }: StatementPrint): string => id;
const downloadPdf = (print: StatementPrint): void => void downloadStatement(print, 'pdf');
const downloadExcel = (print: StatementPrint): void => void downloadStatement(print, 'xlsx');

/** Lists the printed statements of an owner, the newest first, to download them again. */
export function PrintedStatementsDialog({ ownerId, onClose }: { ownerId: string; onClose: () => void }) {
  const place = useDialogPage();
  const query = ownerStatements.useList({ query: { ownerId, ...place[0] } });
  const failed = 'Failed to fetch the printed statements';
  const { list, handle, grid } = useDialogList<StatementPrint>(query, place, failed, 'statements');
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
          const row = handle.current?.focusedRow();
          if (row) downloadExcel(row);
          else notify.info('Select a statement in the table first');
        }}
      />
      <div ref={list} tabIndex={-1} className="flex h-[60vh] min-h-72 flex-col outline-none">
        <DataGrid<StatementPrint>
          label="Printed statements"
          memoryKey="owner-statement-prints"
          columns={statementPrintColumns}
          keyOf={keyOf}
          rowActions={rowActions}
          onOpen={downloadPdf}
          openLabel="Download the PDF"
          ownFile="row"
          empty={
            <EmptyState title="No printed statements yet">
              Print Statement (P) freezes the statement on the screen and gives it a number.
            </EmptyState>
          }
          {...grid}
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
