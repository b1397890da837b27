import { useRef, type ReactNode } from 'react';
import { Pencil, Trash2 } from 'lucide-react';
import type { HistoryRecord } from '../../shared/contract/history.ts';
import { buttonOf, useActions, type Action } from '../actions/registry.ts';
import { isApiError } from '../api/api-error.ts';
import { FailureAlert } from '../feedback/failure-alert.tsx';
import { HistoryTabs } from '../history/history-tabs.tsx';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { Facts, type FactGroup } from './facts.tsx';
import type { RecordViewProps } from './record-screen.tsx';

interface RecordQuery<R> {
  data: { data: R } | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
}

/** A record's details as data. */
interface RecordDetailsSpec<R> {
  /** Whose history is beside them. */
  record: HistoryRecord;
  title: (record: R | undefined) => string;
  facts: (record: R) => readonly FactGroup[];
  /** The groups side by side where there is room. */
  columns?: 1 | 2;
  size?: 'sm' | 'md' | 'lg';
  /** How the record is got alone; absent: it comes with the list only. */
  useRecord?: (id: string) => RecordQuery<R>;
  /** Where that fails without words. */
  failed?: string;
  /** Why there is nothing to show, where the record comes with the list only and is not on this page of it. */
  missing?: string;
}

/** What a record's dialog has besides its facts; drawn inside it, so that its keys belong to it. */
interface RecordDetailsProps<R, Mode extends string = 'view'> extends RecordViewProps<R, Mode> {
  /** Buttons, once the record is there. */
  renderFooter: (record: R) => ReactNode;
  /** Above the facts. */
  renderAbove?: (record: R) => ReactNode;
}

const useNoRecord = (): undefined => undefined;

/** The dialog that shows a record: loading, gone and failed, its facts, and its history. */
export function recordDetails<R>(spec: RecordDetailsSpec<R>) {
  const { useRecord = useNoRecord, record: noun, title, facts, columns, size, failed = '', missing } = spec;

  return function RecordDetails<Mode extends string>(props: RecordDetailsProps<R, Mode>) {
    const { id, row, isElsewhere, placeFocus, onClose, renderFooter, renderAbove } = props;
    const query = useRecord(id);
    const first = useRef<HTMLDivElement>(null);
    const record = query?.data?.data ?? row;
    const error = query?.error ?? undefined;
    const isGone = isApiError(error, 'NOT_FOUND');
    const shown = isGone ? undefined : record;
    const isMissing = missing !== undefined && isElsewhere;
    return (
      <Dialog
        open
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
              : shown !== undefined && 'Shown is what the list had loaded before; it may have changed since.'}
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
  /** Why it cannot be deleted, as far as that is known already. */
  removeReason?: string | undefined;
  onClose: () => void;
  /** Buttons beside Edit and Delete. */
  children?: ReactNode;
}

/** The buttons of a record that can be edited and deleted; drawn inside the dialog, so that their keys belong to it. */
export function EditFooter({ record, onEdit, onRemove, removeReason, onClose, children }: EditFooterProps) {
  const scope = 'Details';
  const noun = wordsOf(record);
  const edit: Action = { id: 'record.edit', label: `Edit ${noun}`, keys: ['E', 'F2'], scope, run: onEdit };
  const remove: Action = {
    id: 'record.delete',
    label: `Delete ${noun}`,
    keys: 'Delete',
    scope,
    disabledReason: removeReason,
    run: onRemove,
  };
  useActions([edit, remove]);
  return (
    <>
      <Button className="mr-auto" variant="ghost" icon={<Trash2 size={14} aria-hidden />} {...buttonOf(remove)}>
        Delete
      </Button>
      {children}
      <Button onClick={onClose}>Close</Button>
      <Button variant="primary" icon={<Pencil size={14} aria-hidden />} {...buttonOf(edit)}>
        Edit
      </Button>
    </>
  );
}

/** The details of a record that is shown, edited and deleted, and nothing else. */
export function recordView<R>(spec: RecordDetailsSpec<R>) {
  const Details = recordDetails(spec);
  return function RecordView(props: RecordViewProps<R>) {
    const { onEdit, onRemove, onClose } = props;
    return (
      <Details
        {...props}
        renderFooter={(record) => (
          <EditFooter
            record={spec.record}
            onEdit={() => onEdit(record)}
            onRemove={() => onRemove(record)}
            onClose={onClose}
          />
        )}
      />
    );
  };
}
