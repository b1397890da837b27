import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router-dom';
import { clearOnAccountChange, queryClient } from '../kit/api/query-client.ts';
import { followOtherTabs, restoreSession } from '../kit/api/session-store.ts';
import { makeRouter } from './routes.tsx';
import { drafts, tabDrafts } from '../kit/api/account-storage.ts';
import '../theme.css';
import '../print.css';

restoreSession();
clearOnAccountChange(queryClient);
drafts.removeOld();
tabDrafts.removeOld();
followOtherTabs();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={makeRouter()} />
    </QueryClientProvider>
  </StrictMode>,
);
