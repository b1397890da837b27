import type { ReactNode } from 'react';
import { errorText, requestIdOf } from '../api/api-error.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { RequestId } from '../ui/request-id.tsx';

interface FailureAlertProps {
  /** The heading. Without it the reason is the heading. */
  title?: string;
  error: unknown;
  /** The error message where neither server nor transport gives one. */
  fallback: string;
  /** Shown instead of the reason, for example what the user can do. */
  children?: ReactNode;
  onRetry?: (() => void) | undefined;
  isRetrying?: boolean;
  onClose?: () => void;
  className?: string;
}

/** A failed call, shown in its place on the screen: the reason, the request id, and Retry. */
export function FailureAlert(props: FailureAlertProps) {
  const { title, error, fallback, children, onRetry, isRetrying, onClose, className } = props;
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
      <RequestId id={requestIdOf(error)} />
    </Alert>
  );
}
