import { useState } from 'react';
import type { Column } from '../../../../shared/columns/define.ts';
import { columnMemory, type SavedColumn } from '../../../kit/grid/grid-settings.ts';
import { gridColumnsOf } from './list-views.ts';

/** The columns of a view that was opened and has another table than the one that is shown. */
let toOpen: readonly SavedColumn[] | undefined;
export function openColumnsNext(columns: readonly SavedColumn[]): void {
  toOpen = columns;
}

/** Before a table is shown for the first time: takes over the columns of the view that opens it. */
export function useColumnsOfView(memoryKey: string, columns: readonly Column<never>[]): void {
  useState(() => {
    const opened = toOpen;
    toOpen = undefined;
    if (opened) columnMemory.write(memoryKey, gridColumnsOf(opened, columns));
  });
}

/** The view that was opened from the other table: the strip of the table that comes has it as its current one. */
let openedView: string | undefined;
export function openViewNext(id: string): void {
  openedView = id;
}
export function takeOpenedView(): string | undefined {
  const id = openedView;
  openedView = undefined;
  return id;
}
