import { useRef, type ReactNode } from 'react';
import { Pencil, Trash2 } from 'lucide-react';
import type { HistoryRecord } from '../../../shared/contract/history.ts';
import { ActionButton } from '../actions/action-button.tsx';
import { useActions, type Action } from '../actions/registry.ts';
import { isApiError } from '../api/api-error.ts';
import { FailureAlert } from '../feedback/failure-alert.tsx';
import { HistoryTabs } from '../history/history-tabs.tsx';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { Facts, type FactGroup } from './facts.tsx';
import type { RecordCalls, RecordViewProps } from './record-screen.tsx';

interface DetailsQuery<R> {
  data: { data: R } | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

/** A record's details as data. */
interface RecordDetailsSpec<R> {
  /** The kind of record, for its history. */
  record: HistoryRecord;
  title: (record: R | undefined) => string;
  facts: (record: R) => readonly FactGroup[];
  /** 2 puts the groups side by side where there is room. */
  columns?: 1 | 2;
  size?: 'sm' | 'md' | 'lg';
  /** Loads the record by id; absent if it is only available from the list. */
  useRecord?: (id: string) => DetailsQuery<R>;
  /** The error message where the server gives none. */
  failed?: string;
  /** Shown if the record is only available from the list and is not on its current page. */
  missing?: string;
}

/** The other parts of a record's dialog. They render inside the dialog, so that their keys belong to it. */
interface RecordDetailsProps<R, Mode extends string = 'view'> extends RecordViewProps<R, Mode> {
  /** The buttons, rendered once the record is loaded. */
  renderFooter: (record: R) => ReactNode;
  /** Content above the facts. */
  renderAbove?: (record: R) => ReactNode;
}

const useNoRecord = (): undefined => undefined;

/** Makes the dialog that shows a record: its loading, deleted and error states, its facts, and its history. */
export function recordDetails<R>(spec: RecordDetailsSpec<R>) {
  const { useRecord = useNoRecord, record: noun, title, facts, columns, size, failed = '', missing } = spec;

  return function RecordDetails<Mode extends string>(props: RecordDetailsProps<R, Mode>) {
    const { id, row, isNotOnPage, placeFocus, onClose, renderFooter, renderAbove } = props;
    const query = useRecord(id);
    const first = useRef<HTMLDivElement>(null);
    const record = query?.data?.data ?? row;
    const error = query?.error ?? undefined;
    const isGone = isApiError(error, 'NOT_FOUND');
    const shown = isGone ? undefined : record;
    const isMissing = missing !== undefined && isNotOnPage;
    return (
      <Dialog
        {...(size && { size })}
        closeOnOutside
        title={title(record)}
        onClose={onClose}
        initialFocus={first}
        placeFocus={placeFocus}
        footer={shown === undefined ? <Button onClick={onClose}>Close</Button> : renderFooter(shown)}
      >
        {isMissing && <Alert tone="info" title={missing} />}
        {query && error !== undefined && (
          <FailureAlert
            className="mb-4"
            error={error}
            fallback={failed}
            onRetry={isGone ? undefined : () => void query.refetch()}
            isRetrying={query.isFetching}
          >
            {isGone
              ? 'It may have been deleted.'
              : shown !== undefined && 'The details shown come from the list and may be out of date.'}
          </FailureAlert>
        )}
        {shown !== undefined && (
          <HistoryTabs of={{ noun, id }}>
            <div className="grid gap-5">
              {renderAbove?.(shown)}
              <Facts ref={first} label={sentenceOf(noun)} groups={facts(shown)} {...(columns && { columns })} />
            </div>
          </HistoryTabs>
        )}
        {shown === undefined && error === undefined && !isMissing && (
          <div className="grid min-h-40 place-items-center">
            <Spinner label={`Loading ${wordsOf(noun)}`} />
          </div>
        )}
      </Dialog>
    );
  };
}

const wordsOf = (record: HistoryRecord): string => record.replace('-', ' ');
const sentenceOf = (record: HistoryRecord): string => wordsOf(record).replace(/^./, (letter) => letter.toUpperCase());

interface EditFooterProps {
  record: HistoryRecord;
  onEdit: () => void;
  onRemove: () => void;
  /** Why the record cannot be deleted, if that is already known. */
  removeReason?: string | undefined;
  calls?: RecordCalls | undefined;
  onClose: () => void;
  /** Further buttons. */
  children?: ReactNode;
}

/** Edit, Delete and Close for a record's dialog. Render it inside the dialog, so that its keys belong to the dialog. */
export function EditFooter({ record, calls, onEdit, onRemove, removeReason, onClose, children }: EditFooterProps) {
  const scope = 'Details';
  const noun = wordsOf(record);
  const edit: Action = {
    id: 'record.edit',
    label: `Edit ${noun}`,
    keys: ['E', 'F2'],
    scope,
    calls: calls?.update,
    run: onEdit,
  };
  const remove: Action = {
    id: 'record.delete',
    label: `Delete ${noun}`,
    keys: 'Delete',
    scope,
    calls: calls?.remove,
    disabledReason: removeReason,
    run: onRemove,
  };
  useActions([edit, remove]);
  return (
    <>
      <ActionButton action={remove} className="mr-auto" variant="ghost" icon={Trash2}>
        Delete
      </ActionButton>
      {children}
      <Button onClick={onClose}>Close</Button>
      <ActionButton action={edit} variant="primary" icon={Pencil}>
        Edit
      </ActionButton>
    </>
  );
}

/** Makes the details dialog of a record whose only buttons are Edit, Delete and Close. */
export function recordView<R>(spec: RecordDetailsSpec<R>) {
  const Details = recordDetails(spec);
  return function RecordView(props: RecordViewProps<R>) {
    const { calls, onEdit, onRemove, onClose } = props;
    return (
      <Details
        {...props}
        renderFooter={(record) => (
          <EditFooter
            record={spec.record}
            calls={calls}
            onEdit={() => onEdit(record)}
            onRemove={() => onRemove(record)}
            onClose={onClose}
          />
        )}
      />
    );
  };
}
