import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { OWNER_REQUIRED } from '../../../../shared/calc/challan-rules.ts';
import { challan as challanShape } from '../../../../shared/contract/challan.ts';
import { challanCreateForm } from '../../../../shared/contract/challan-form.ts';
import { errorText, isApiError, requestIdOf } from '../../../kit/api/api-error.ts';
import { challans } from '../../../resources/challans.ts';
import { doublePressMs } from '../../../kit/ui/double-press.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { changeBody, changedFields, contractValues } from './form-changes.ts';
import { errorsOf, fieldOfError } from './form-errors.ts';
import { askBeforeSaving } from './form-questions.ts';
import { fieldNames, storedValues, type FieldName, type FormValues } from './form-values.ts';
import { rememberValues } from './remembered.ts';
import type { Duplicates } from './use-duplicates.ts';
import type { FormModel } from './form-model.ts';

/** The problem of a failed save. It is shown above the form and gets the focus. */
export interface Problem {
  title: string;
  items: readonly { field: FieldName; message: string }[];
  /** An earlier attempt with the same idempotency key may have been stored, so saving as a new challan is offered. */
  maySaveAsNew: boolean;
  /** There was no answer, so it is unknown whether the challan was stored. A retry is safe (idempotency key, version). */
  isUnanswered: boolean;
  /** The id of the failed request, if the server answered. */
  requestId?: string | undefined;
}

export interface Saving {
  problem: Problem | undefined;
  isSending: boolean;
  /** Saving waits for an answer that fills a field. */
  isWaiting: boolean;
  save: (options?: { acceptDuplicates?: boolean; asNew?: boolean }) => Promise<void>;
  dismiss: () => void;
}

interface Outcome {
  /** Resolves once pending answers have filled their fields: a pick, the owner of a vehicle, the owner's TDS. */
  settled: () => Promise<void>;
  onCreated: () => void;
  onUpdated: () => void;
  /** Called after the error summary, the conflict or the duplicates are shown, to focus them. */
  onStopped: (at: 'problem' | 'conflicts' | 'duplicates') => void;
}

/** A longer wait shows the button as busy. */
const showWaitAfterMs = 200;

export function useSave(model: FormModel, duplicates: Duplicates, outcome: Outcome): Saving {
  const { form, mode, track } = model;
  const [problem, setProblem] = useState<Problem>();
  const [isSending, setSending] = useState(false);
  const [isWaiting, setWaiting] = useState(false);
  const isRunning = useRef(false);
  /** When the last challan was stored. A double press of the save key must not submit the empty form. */
  const createdAt = useRef(-doublePressMs);
  const create = challans.useCreate();
  const update = challans.useUpdate();

  const show = (next: Problem): void => {
    flushSync(() => setProblem(next));
    outcome.onStopped('problem');
  };

  /** Shows 'There is a problem' with every error as a link, with the same text as at the field (docs/specification.md §19.4). */
  const showInvalid = (): void => {
    const errors = errorsOf(form.getValues(), track.stored, track.problems);
    const items = fieldNames.flatMap((field) => {
      const message = errors[field];
      return message ? [{ field, message }] : [];
    });
    const [only, second] = items;
    if (only?.message === OWNER_REQUIRED && !second) notify.error(OWNER_REQUIRED);
    show({
      title: items.length === 1 ? 'There is a problem' : `There are ${items.length} problems`,
      items,
      maySaveAsNew: false,
      isUnanswered: false,
    });
  };

  const showFailure = (error: unknown, fallback: string): void => {
    if (isApiError(error, 'VERSION_CONFLICT')) {
      const theirs = challanShape.safeParse(error.data);
      if (theirs.success) {
        flushSync(() => {
          setProblem(undefined);
          model.rebaseTo(theirs.data);
        });
        outcome.onStopped('conflicts');
        return;
      }
    }
    const isUnanswered = isApiError(error, 'NETWORK') || isApiError(error, 'TIMEOUT');
    // The challan may be stored although there was no answer. The retry must not find it as its own duplicate.
    if (isUnanswered) duplicates.accept();
    const fields = isApiError(error) ? error.fields : {};
    const items = Object.entries(fields).flatMap(([name, message]) => {
      const field = fieldOfError(name);
      return field ? [{ field, message }] : [];
    });
    for (const { field, message } of items) form.setError(field, { type: 'server', message });
    notify.error(error, fallback);
    show({
      title: errorText(error, fallback),
      items,
      maySaveAsNew: isApiError(error, 'IDEMPOTENCY_MISMATCH'),
      isUnanswered,
      requestId: requestIdOf(error),
    });
  };

  const allows = async (values: FormValues): Promise<boolean> => (await askBeforeSaving(track.stored, values)) ?? true;

  const send = async (values: FormValues): Promise<void> => {
    setSending(true);
    try {
      if (mode === 'create') {
        const body = challanCreateForm.parse(contractValues(values, undefined));
        const { data } = await create.mutateAsync({ body, idempotencyKey: track.idempotencyKey });
        notify.success(`Challan created successfully! Challan Number: ${data.challanNumber || 'N/A'}`);
        rememberValues(values);
        flushSync(() => {
          setProblem(undefined);
          setSending(false);
        });
        outcome.onCreated();
        createdAt.current = performance.now();
        return;
      }
      const { stored } = track;
      if (!stored) return;
      if (changedFields(storedValues(stored), values).length === 0) {
        notify.info('No changes detected');
      } else {
        await update.mutateAsync({ params: { id: stored.id }, body: changeBody(stored, values) });
        notify.success('Challan updated successfully');
      }
      outcome.onUpdated();
    } catch (error) {
      flushSync(() => setSending(false));
      showFailure(error, mode === 'create' ? 'Failed to create challan' : 'Failed to update challan');
    }
  };

  const save: Saving['save'] = async ({ acceptDuplicates = false, asNew = false } = {}) => {
    if (isRunning.current) return;
    if (!track.isAnyEdited && performance.now() - createdAt.current < doublePressMs) return;
    isRunning.current = true;
    const focused = document.activeElement;
    const longWait = setTimeout(() => setWaiting(true), showWaitAfterMs);
    try {
      // Fields apply typed text on blur: a date, an amount, a vehicle number, a pick.
      if (focused instanceof HTMLElement && focused.closest('form')) focused.blur();
      // Write the draft now: the session may have expired, which only the answer will show.
      model.keepDraft();
      await outcome.settled();
      clearTimeout(longWait);
      setWaiting(false);
      if (asNew) track.renewKey();
      if (acceptDuplicates) duplicates.accept();
      let isStopped = false;
      await form.handleSubmit(
        async (values) => {
          if (!(await duplicates.allowsSaving())) {
            isStopped = true;
            setProblem(undefined);
            outcome.onStopped('duplicates');
          } else if (await allows(values)) {
            isStopped = true;
            await send(values);
          }
        },
        () => {
          isStopped = true;
          showInvalid();
        },
      )();
      // The user has declined a question: return the focus to where it was.
      if (!isStopped && focused instanceof HTMLElement) focused.focus();
    } finally {
      clearTimeout(longWait);
      isRunning.current = false;
      setWaiting(false);
      setSending(false);
    }
  };

  return { problem, isSending, isWaiting, save, dismiss: () => setProblem(undefined) };
}
