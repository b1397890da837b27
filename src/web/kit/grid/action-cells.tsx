import type { ReactNode } from 'react';
import type { ICellRendererParams } from 'ag-grid-community';
import { Button, IconButton } from '../ui/button.tsx';
import type { CustomCell, RowAction } from './grid-types.ts';

/** The cells that React renders: the action buttons, and cells that a page renders itself. */

export function ActionsCell<Row>(params: ICellRendererParams<Row> & { actions: () => readonly RowAction<Row>[] }) {
  const row = params.data;
  if (row === undefined) return null;
  return (
    <span className="flex h-full items-center gap-0.5">
      {params
        .actions()
        .filter(({ isOf }) => isOf?.(row) !== false)
        .map((action) => (
          <ActionButton key={action.id} action={action} row={row} />
        ))}
    </span>
  );
}

function ActionButton<Row>({ action, row }: { action: RowAction<Row>; row: Row }) {
  const shared = {
    size: 'sm',
    // The buttons are no Tab stops: the cell gets the focus, and Enter moves into its buttons.
    tabIndex: -1,
    icon: action.icon,
    keys: action.keys,
    disabledReason: action.disabledReason?.(row),
    onClick: () => action.run(row),
  } as const;
  if (!action.showLabel) return <IconButton {...shared} label={action.label} />;
  return (
    <Button {...shared} variant="ghost">
      {action.label}
    </Button>
  );
}

interface CustomParams<Row> {
  cell: () => CustomCell<Row> | undefined;
  /** Aligns the content to the right, like the plain numbers of the column. */
  isFigure: boolean;
}

export function CustomCellView<Row>(params: ICellRendererParams<Row> & CustomParams<Row>) {
  const row = params.data;
  return row === undefined ? null : <CellContent isFigure={params.isFigure}>{params.cell()?.render(row)}</CellContent>;
}

export function CustomTotalView<Row>({ cell, isFigure }: CustomParams<Row>) {
  return <CellContent isFigure={isFigure}>{cell()?.total?.()}</CellContent>;
}

/** A number that does not fit is truncated with an ellipsis at its end and never loses its first digits. */
function CellContent({ isFigure, children }: { isFigure: boolean; children: ReactNode }) {
  return isFigure ? <span className="cd-figure">{children}</span> : <>{children}</>;
}
