import { lazy } from 'react';

// Parts of the lists of records that are loaded when they are first used.

export const RecordBulkDialog = lazy(() => import('./record-bulk-dialog.tsx'));

export const loadOwnerCells = async () => (await import('./record-cells.tsx')).OwnerCells;
