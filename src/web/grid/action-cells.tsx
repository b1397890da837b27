import type { ICellRendererParams } from 'ag-grid-community';
import { IconButton } from '../ui/button.tsx';
import type { CustomCell, RowAction } from './grid-types.ts';

/** The two cells that are drawn by React: buttons, and what a page draws itself. */

export function ActionsCell<Row>(params: ICellRendererParams<Row> & { actions: () => readonly RowAction<Row>[] }) {
  const row = params.data;
  if (row === undefined) return null;
  return (
    <span className="flex h-full items-center gap-0.5">
      {params.actions().map((action) => (
        <IconButton
          key={action.id}
          size="sm"
          // The cell is the stop; Enter steps into its buttons, so that a row of them is not a row of Tab stops.
          tabIndex={-1}
          label={action.label}
          icon={action.icon}
          keys={action.keys}
          disabledReason={action.disabledReason?.(row)}
          onClick={() => action.run(row)}
        />
      ))}
    </span>
  );
}

export function CustomCellView<Row>(params: ICellRendererParams<Row> & { cell: () => CustomCell<Row> | undefined }) {
  const row = params.data;
  return row === undefined ? null : <>{params.cell()?.render(row)}</>;
}
