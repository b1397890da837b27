import { useRouteError } from 'react-router-dom';
import { CircleAlert } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** A screen that broke while it was drawn, or whose code did not arrive. Typed text is in its draft. */
export function ErrorPage() {
  const error = useRouteError();
  const isMissingCode = error instanceof Error && /import|fetch|chunk|module/i.test(error.message);
  return (
    <main role="alert" className="grid min-h-full place-items-center bg-canvas">
      <EmptyState
        icon={<CircleAlert size={20} aria-hidden />}
        title={<h1>This screen could not be shown</h1>}
        actions={
          <Button variant="primary" onClick={() => location.reload()}>
            Retry
          </Button>
        }
      >
        {isMissingCode
          ? 'A part of the application could not be loaded. Check the connection and try again.'
          : 'Something in it went wrong. Nothing that was saved is lost.'}
      </EmptyState>
    </main>
  );
}
