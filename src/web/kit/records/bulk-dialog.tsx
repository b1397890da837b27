import { useMemo, useRef, type ReactNode } from 'react';
import { ConfirmButton } from '../actions/confirm-button.tsx';
import { isApiError, type ApiError } from '../api/api-error.ts';
import { FailureAlert, QueryFailure } from '../feedback/failure-alert.tsx';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useArmed } from '../ui/double-press.ts';
import { Select } from '../ui/select-field.tsx';
import type { usePreview } from './act-on-many.ts';

interface BulkDialogProps<Name extends string, Preview> {
  title: string;
  /** The chosen act, and those that can be chosen. */
  name: Name;
  options: readonly { value: Name; label: string }[];
  onChoose: (name: Name) => void;
  /** The field for the value, locked while the change is running. */
  renderField: (lockedReason: string | undefined) => ReactNode;
  /** The act has all that it needs. */
  isComplete: boolean;
  /** Why the selection is too large. */
  tooMany: string | undefined;
  preview: Pick<ReturnType<typeof usePreview<{ kind: string }, Preview>>, 'data' | 'error' | 'refetch'>;
  /** What the preview says: what changes, then what does not. */
  textsOf: (preview: Preview) => readonly string[];
  /** Why there is nothing to confirm. */
  emptyReason: (preview: Preview) => string | undefined;
  confirmLabel: (preview: Preview | undefined) => string;
  isDanger: boolean;
  send: (confirmed: Preview) => void;
  change: { isPending: boolean; error: Error | null; reset: () => void };
  /** Said when the records have changed since the preview. */
  stale: { title: string; textOf?: (error: ApiError) => string };
  /** The default message of a failed call. */
  failed: string;
  /** The dialog was opened by the key of an act: the focus is on Cancel, so that one more key does not confirm it. */
  isOpenedByAct: boolean;
  onClose: () => void;
  /** Moves the focus after a deletion, because the focused row may be gone; false if no row could take it. */
  placeFocus: () => boolean;
}

/**
 * One act on the selected records, with a preview (docs/specification.md §7.4, §8.8). The server refuses the change if it would do
 * anything that the preview did not show.
 */
export function BulkDialog<Name extends string, Preview extends { fingerprint: string }>(
  props: BulkDialogProps<Name, Preview>,
) {
  const { name, tooMany, preview, change, stale, failed, isComplete, onClose } = props;
  const cancelButton = useRef<HTMLButtonElement>(null);
  const actionSelect = useRef<HTMLButtonElement>(null);
  const shown = preview.data;
  // New figures disarm the button for a moment, because the user may be about to confirm the figures before them.
  const fingerprint = shown?.fingerprint;
  const isArmed = useArmed(useMemo(() => ({ name, fingerprint }), [name, fingerprint]));
  const pendingReason = change.isPending ? 'The change is running' : undefined;
  const staleError = isApiError(change.error, 'SELECTION_CHANGED') ? change.error : undefined;
  const waiting = preview.error ? 'The preview could not be loaded' : 'Loading the preview';
  const reason = tooMany ?? (isComplete ? (shown ? props.emptyReason(shown) : waiting) : 'Enter the value first');
  const confirm = (): void => {
    if (reason === undefined && shown && !change.isPending && isArmed) props.send(shown);
  };
  return (
    <Dialog
      role="alertdialog"
      title={props.title}
      onClose={() => {
        if (!change.isPending) onClose();
      }}
      initialFocus={props.isOpenedByAct ? cancelButton : actionSelect}
      placeFocus={props.placeFocus}
      footer={
        <>
          <Button ref={cancelButton} onClick={onClose} disabledReason={pendingReason}>
            Cancel
          </Button>
          <ConfirmButton
            label={props.confirmLabel(shown)}
            run={confirm}
            variant={props.isDanger ? 'danger' : 'primary'}
            busy={change.isPending}
            disabledReason={reason}
          />
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Select
          ref={actionSelect}
          label="What to do"
          lockedReason={pendingReason}
          value={name}
          onValueChange={(next) => {
            props.onChoose(next);
            change.reset();
          }}
          options={props.options}
        />
        {props.renderField(pendingReason)}
        {tooMany && <Alert tone="warn" title={tooMany} />}
        {staleError && (
          <Alert tone="warn" title={stale.title}>
            {stale.textOf?.(staleError)}
          </Alert>
        )}
        {change.error && !staleError && <FailureAlert error={change.error} fallback={failed} />}
        <QueryFailure query={preview} fallback={failed} />
        <div role="status" className="nums min-h-10">
          {isComplete &&
            shown &&
            props.textsOf(shown).map((text, index) => (
              <p key={text} className={index === 0 ? 'font-medium' : 'mt-1 text-muted'}>
                {text}
              </p>
            ))}
          {isComplete && !shown && !preview.error && !tooMany && <p className="text-muted">Loading the preview…</p>}
        </div>
      </div>
    </Dialog>
  );
}
