import { lazy, memo, Suspense } from 'react';
import { useKeyHelp } from '../ui/key-table.ts';
import { editKeys, nameKeys, sheetKeys, type SheetGridProps } from './sheet-grid-types.ts';

const loadTable = () => import('./ag-sheet.tsx');
const LazyTable = lazy(loadTable);
void loadTable();

/** A grid to type into, like a spreadsheet (docs/keyboard.md §6). It hides AG Grid from pages. */
export const SheetGrid = memo(function SheetGrid(props: SheetGridProps) {
  useKeyHelp('Sheet', sheetKeys);
  useKeyHelp('A cell of the sheet', editKeys);
  useKeyHelp('Names below a cell', nameKeys);
  return (
    <section
      aria-label={props.label}
      className="relative min-h-60 min-w-0 flex-1 overflow-hidden rounded-lg border border-line bg-surface shadow-card"
    >
      <div className="absolute inset-0">
        <Suspense fallback={null}>
          <LazyTable {...props} />
        </Suspense>
      </div>
    </section>
  );
});
