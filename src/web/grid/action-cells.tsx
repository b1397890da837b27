import type { ReactNode } from 'react';
import type { ICellRendererParams } from 'ag-grid-community';
import { Button, IconButton } from '../ui/button.tsx';
import type { CustomCell, RowAction } from './grid-types.ts';

/** The two cells that are drawn by React: buttons, and what a page draws itself. */

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
    // The cell is the stop; Enter steps into its buttons, so that a row of them is not a row of Tab stops.
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
  /** Stands to the right, like the plain figures of its column. */
  isFigure: boolean;
}

export function CustomCellView<Row>(params: ICellRendererParams<Row> & CustomParams<Row>) {
  const row = params.data;
  return row === undefined ? null : <Drawn isFigure={params.isFigure}>{params.cell()?.render(row)}</Drawn>;
}

export function CustomTotalView<Row>({ cell, isFigure }: CustomParams<Row>) {
  return <Drawn isFigure={isFigure}>{cell()?.total?.()}</Drawn>;
}

/** A figure that does not fit is cut with an ellipsis at its end, also where page code draws it: never at its first digits. */
function Drawn({ isFigure, children }: { isFigure: boolean; children: ReactNode }) {
  return isFigure ? <span className="cd-figure">{children}</span> : <>{children}</>;
}
