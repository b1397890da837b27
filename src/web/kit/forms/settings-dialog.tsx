import { useLayoutEffect, useState, type ReactNode, type RefObject } from 'react';
import type { z } from 'zod';
import { ConfirmButton } from '../actions/confirm-button.tsx';
import type { Action } from '../actions/registry.ts';
import { isApiError } from '../api/api-error.ts';
import { QueryFailure, type FailedQuery } from '../feedback/failure-alert.tsx';
import { notify } from '../feedback/toast.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Skeleton } from '../ui/skeleton.tsx';

interface SettingsParts<S> {
  query: { data: { data: S } | undefined; isFetching: boolean };
  /** What the dialog loads beside the settings is there. */
  hasRest?: boolean;
  /** The field that has the focus as soon as the fields appear. */
  first: RefObject<HTMLElement | null>;
  words: { saved: string; notSaved: string };
  onClose: () => void;
}

/** What was typed into a form of settings, which somebody else may save meanwhile. */
export function useSettings<S, Field extends string>({
  query,
  hasRest = true,
  first,
  words,
  onClose,
}: SettingsParts<S>) {
  // Keeps what was loaded first: a refused save loads it again, which must not replace what was typed.
  const [stored, setStored] = useState<S>();
  if (!stored && !query.isFetching && query.data) setStored(query.data.data);
  const [changed, setChanged] = useState<Partial<Record<Field, string>>>({});
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const [isStale, setStale] = useState(false);
  const isLoaded = stored !== undefined && hasRest;
  // A layout effect, so that a user who types as soon as the fields appear types into the first one.
  useLayoutEffect(() => {
    if (isLoaded) first.current?.focus();
  }, [isLoaded, first]);
  return {
    stored,
    isLoaded,
    isStale,
    changed,
    change: (texts: Partial<Record<Field, string>>): void => setChanged({ ...changed, ...texts }),
    /** The props of a field that shows this text. */
    bound: (field: Field, value: string) => ({
      value,
      error: errors[field],
      onValueChange: (text: string): void => {
        setChanged({ ...changed, [field]: text });
        setErrors({ ...errors, [field]: undefined });
      },
    }),
    refuse: ({ issues }: z.ZodError, fieldOf: (path: PropertyKey[]) => unknown): void =>
      setErrors(Object.fromEntries(issues.map(({ path, message }) => [fieldOf(path), message]))),
    whenSaved: {
      onSuccess: (): void => {
        notify.success(words.saved);
        onClose();
      },
      onError: (problem: unknown): void => {
        // What was typed stays visible. The newer settings are shown when the dialog is opened again.
        if (isApiError(problem, 'VERSION_CONFLICT')) setStale(true);
        else notify.error(problem, words.notSaved);
      },
    },
  };
}

interface SettingsDialogProps {
  title: string;
  description?: string;
  settings: Pick<ReturnType<typeof useSettings>, 'isLoaded' | 'isStale'>;
  /** What the dialog loads, and the message where that fails. */
  query: FailedQuery;
  failed: string;
  calls: Action['calls'];
  save: () => void;
  isPending: boolean;
  onClose: () => void;
  children: ReactNode;
}

const stale = 'Somebody else has changed the settings';

/** The same dialog is shown while loading and afterwards, so that it returns the focus to where it was opened. */
export function SettingsDialog(props: SettingsDialogProps) {
  const { settings, query, failed, calls, save, isPending, onClose, children, ...titles } = props;
  const { isLoaded, isStale } = settings;
  return (
    <Dialog
      size="md"
      {...titles}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {isLoaded && (
            <ConfirmButton
              label="Save"
              calls={calls}
              run={save}
              busy={isPending}
              disabledReason={isStale ? stale : undefined}
            />
          )}
        </>
      }
    >
      {isStale && (
        <Alert tone="warn" title={stale} className="mb-3">
          Close this dialog and open it again to see the changes.
        </Alert>
      )}
      {isLoaded ? children : <QueryFailure query={query} fallback={failed} waiting={<Skeleton className="h-40" />} />}
    </Dialog>
  );
}
