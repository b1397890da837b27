import type { ReactNode } from 'react';
import { errorText, requestIdOf } from '../api/api-error.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { errorAboveId } from '../ui/field-frame.tsx';
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
  /** The reason may also be the error of fields below, which then refer to it (`isErrorAbove`). */
  isOfFields?: boolean;
  className?: string;
}

/** A failed call, shown in its place on the screen: the reason, the request id, and Retry. */
export function FailureAlert(props: FailureAlertProps) {
  const { title, error, fallback, children, onRetry, isRetrying, onClose, isOfFields, className } = props;
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
      {children ?? (title !== undefined && <p id={isOfFields ? errorAboveId : undefined}>{reason}</p>)}
      <RequestId id={requestIdOf(error)} />
    </Alert>
  );
}

export interface FailedQuery {
  error: unknown;
  refetch: () => unknown;
  isFetching?: boolean;
}

interface QueryFailureProps extends Omit<FailureAlertProps, 'error' | 'onRetry' | 'isRetrying'> {
  query: FailedQuery;
  /** Shown while the query has not failed. */
  waiting?: ReactNode;
}

/** Why a query failed, with Retry; nothing as long as it has not. */
export function QueryFailure({ query, waiting, ...alert }: QueryFailureProps) {
  const { error, refetch, isFetching = false } = query;
  if (error === null || error === undefined) return waiting;
  return <FailureAlert {...alert} error={error} onRetry={() => void refetch()} isRetrying={isFetching} />;
}
