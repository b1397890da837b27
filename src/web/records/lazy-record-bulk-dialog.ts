import { lazy } from 'react';

/** Loaded when it is first opened. */
export const RecordBulkDialog = lazy(() => import('./record-bulk-dialog.tsx'));
