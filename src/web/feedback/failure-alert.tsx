import type { ReactNode } from 'react';
import { errorText, requestIdOf } from '../api/api-error.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { RequestId } from '../ui/request-id.tsx';

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

/** A failed call beside what it was for: the reason, the number of its request, and Retry. */
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
