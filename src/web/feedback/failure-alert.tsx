import type { ReactNode } from 'react';
import { errorText, isApiError } from '../api/api-error.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';

interface FailureAlertProps {
  /** The heading, where that is not the reason itself. */
  title?: string;
  error: unknown;
  /** The sentence where neither server nor transport says one. */
  fallback: string;
  /** What is shown instead, or what to do. */
  children?: ReactNode;
  onRetry?: (() => void) | undefined;
  isRetrying?: boolean;
  onClose?: () => void;
  className?: string;
}

/** A failed call beside what it was for: the reason, the number to ask about it, and the way to try again. */
export function FailureAlert(props: FailureAlertProps) {
  const { title, error, fallback, children, onRetry, isRetrying, onClose, className } = props;
  const requestId = isApiError(error) ? error.requestId : undefined;
  const reason = errorText(error, fallback);
  return (
    <Alert
      title={title ?? reason}
      {...(className !== undefined && { className })}
      {...(onClose && { onClose })}
      actions={
        onRetry && (
          <Button size="sm" busy={isRetrying} onClick={onRetry}>
            Retry
          </Button>
        )
      }
    >
      {children ?? (title !== undefined && <p>{reason}</p>)}
      {requestId !== undefined && <p className="text-xs text-muted">Request {requestId}</p>}
    </Alert>
  );
}
