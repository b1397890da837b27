import { useState, type RefObject } from 'react';
import { render } from '@testing-library/react';
import { expect, vi } from 'vitest';
import type { Column } from '../../../../src/shared/columns/define.ts';
import { DataGrid, type DataGridProps } from '../../../../src/web/kit/grid/data-grid.tsx';
import type { GridHandle } from '../../../../src/web/kit/grid/grid-types.ts';
import '../../../../src/web/theme.css';

export interface Trip {
  id: string;
  number: string;
  owner: string;
  net: string;
  paid: boolean;
}

export const tripColumns: readonly Column<Trip>[] = [
  { key: 'number', label: 'Challan No', kind: 'reference', width: 140, pin: 'left', sortKey: 'number' },
  { key: 'owner', label: 'Owner', kind: 'text', width: 200, sortKey: 'owner' },
  { key: 'net', label: 'Net', kind: 'money', width: 140, sortKey: 'net', total: 'sum' },
  { key: 'paid', label: 'Paid', kind: 'flag', width: 80, words: ['Paid', 'Unpaid'] },
];

export const trips = (count: number, from = 1): Trip[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `id-${from + index}`,
    number: `CH-${from + index}`,
    owner: `Owner ${from + index}`,
    net: `${(from + index) * 100000}.50`,
    paid: (from + index) % 2 === 0,
  }));

export const idle = { isLoading: false, isFetching: false, onRetry: () => undefined };

export type Handle = RefObject<GridHandle<Trip> | null>;

/** Its first rows are drawn a moment before the keys are its own: until then a Tab goes to the heading. */
export const untilItStands = (): Promise<void> =>
  vi.waitFor(() => {
    expect(document.querySelector('.cd-grid .ag-row')).not.toBeNull();
    expect(document.querySelector('.cd-grid [aria-label="Trips"]:is([role="grid"], [role="treegrid"])')).not.toBeNull();
  });

/** A grid on a page of fixed size, between two buttons, so that Tab has somewhere to come from and go to. */
export async function showGrid(
  first: Partial<DataGridProps<Trip>> = {},
  onHandle: (handle: GridHandle<Trip>) => void = () => undefined,
): Promise<{ change: (props: Partial<DataGridProps<Trip>>) => void; handle: Handle }> {
  let set: (props: Partial<DataGridProps<Trip>>) => void = () => undefined;
  const handle: Handle = { current: null };
  let isFirst = true;
  const take = (made: GridHandle<Trip> | null): void => {
    handle.current = made;
    if (made && isFirst) onHandle(made);
    isFirst &&= made === null;
  };
  function Screen() {
    const [props, setProps] = useState(first);
    // oxlint-disable-next-line react/globals -- the test drives the component from outside
    set = (next) => setProps((before) => ({ ...before, ...next }));
    return (
      <div style={{ display: 'flex', flexDirection: 'column', height: 600, width: 1000 }}>
        <button type="button">Before</button>
        <DataGrid<Trip>
          label="Trips"
          columns={tripColumns}
          rows={trips(10)}
          keyOf={(row) => row.id}
          status={idle}
          empty="Nothing"
          {...props}
          ref={take}
        />
        <button type="button">After</button>
      </div>
    );
  }
  render(<Screen />);
  if (first.rows === undefined || first.rows.length > 0) {
    await untilItStands();
  }
  return { change: (props) => set(props), handle };
}

/** 'row 3, owner': where the focus is. */
export function focusPlace(): string {
  const cell = document.activeElement?.closest<HTMLElement>('.ag-cell, .ag-header-cell');
  if (!cell) return document.activeElement?.textContent ?? 'nowhere';
  const row = cell.closest<HTMLElement>('[row-index]')?.getAttribute('row-index') ?? 'header';
  return `row ${row}, ${cell.getAttribute('col-id')}`;
}
