import type { ReactNode, RefObject } from 'react';
import { Pencil, Trash2 } from 'lucide-react';
import { buttonOf } from '../actions/registry.ts';
import { useRecordViewActions } from '../actions/record-view.ts';
import { errorText, isApiError } from '../api/api-error.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Spinner } from '../ui/spinner.tsx';
import type { HistoryOf } from './history-list.tsx';
import { HistoryTabs } from './history-tabs.tsx';

interface RecordFrameProps {
  title: string;
  /** 'owner' */
  noun: string;
  /** How the record is got, where it can be got alone. */
  query?: { error: unknown; isFetching: boolean; refetch: () => unknown };
  failed?: string;
  /** Whose history stands beside the details. */
  history: HistoryOf;
  /** Why there is no record to show, where it comes with the list only. */
  missing?: string | undefined;
  size?: 'sm' | 'md' | 'lg';
  /** Takes the focus on opening. */
  first: RefObject<HTMLElement | null>;
  placeFocus: () => boolean;
  onClose: () => void;
  /** What can be done with the record, once it is there. */
  footer: ReactNode;
  /** The record; absent while it is on its way. */
  children?: ReactNode;
}

/** The frame of a record's details: loading, gone and failed. */
export function RecordFrame(props: RecordFrameProps) {
  const { title, noun, query, failed, size = 'md', first, placeFocus, onClose, footer, children } = props;
  const { missing, history } = props;
  const error = query?.error ?? undefined;
  const isGone = isApiError(error, 'NOT_FOUND');
  const isThere = children !== undefined && !isGone;
  return (
    <Dialog
      open
      size={size}
      closeOnOutside
      title={title}
      onClose={onClose}
      initialFocus={first}
      placeFocus={placeFocus}
      footer={isThere ? footer : <Button onClick={onClose}>Close</Button>}
    >
      {missing !== undefined && <Alert tone="info" title={missing} />}
      {query && error !== undefined && (
        <Alert
          className="mb-4"
          title={errorText(error, failed)}
          actions={
            isGone ? undefined : (
              <Button size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
                Retry
              </Button>
            )
          }
        >
          {isGone
            ? 'It may have been deleted.'
            : isThere && 'Shown is what the list had loaded before; it may have changed since.'}
        </Alert>
      )}
      {isThere && <HistoryTabs of={history}>{children}</HistoryTabs>}
      {!isThere && error === undefined && missing === undefined && (
        <div className="grid min-h-40 place-items-center">
          <Spinner label={`Loading ${noun}`} />
        </div>
      )}
    </Dialog>
  );
}

interface RecordViewProps extends Omit<RecordFrameProps, 'footer'> {
  onEdit: () => void;
  onRemove: () => void;
  /** Why it cannot be deleted, as far as that is known already. */
  removeReason?: string | undefined;
  /** Buttons beside Edit and Delete. */
  buttons?: ReactNode;
}

/** A record's details with the way to edit and delete it. */
export function RecordView(props: RecordViewProps) {
  return <RecordFrame {...props} footer={<Footer {...props} />} />;
}

function Footer({ noun, onEdit, onRemove, removeReason, onClose, buttons }: RecordViewProps) {
  const actions = useRecordViewActions({ noun, edit: onEdit, remove: onRemove, removeReason });
  return (
    <>
      <Button className="mr-auto" variant="ghost" icon={<Trash2 size={14} aria-hidden />} {...buttonOf(actions.remove)}>
        Delete
      </Button>
      {buttons}
      <Button onClick={onClose}>Close</Button>
      <Button variant="primary" icon={<Pencil size={14} aria-hidden />} {...buttonOf(actions.edit)}>
        Edit
      </Button>
    </>
  );
}
