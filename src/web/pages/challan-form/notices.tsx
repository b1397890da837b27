import type { Ref } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { formatDate, formatDateTime } from '../../../shared/calc/dates.ts';
import type { Challan, ChallanReference } from '../../../shared/contract/challan.ts';
import { formatINR, isPositive } from '../../../shared/calc/money.ts';
import type { Draft } from '../../session/account-storage.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { RequestId } from '../../ui/request-id.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { keysOf, type Action } from '../../actions/registry.ts';
import type { FormDraft } from './form-memory.ts';
import { useFormParts } from './form-fields.tsx';
import { dayWarning } from '../../challans/form-errors.ts';
import { dateFields, fieldLabels, storedValues, type FieldName } from '../../challans/form-values.ts';
import type { Problem } from './use-save.ts';
import type { Found } from './use-duplicates.ts';
import { changedFields, clearsHsd } from '../../challans/form-changes.ts';
import type { FormModel } from './form-model.ts';

interface DraftOfferProps {
  offer: Draft<FormDraft>;
  /** The challan's version now; another one than the draft's means that somebody saved it since. */
  version: number | undefined;
  onRestore: () => void;
  onDiscard: () => void;
}

/** docs/specification.md §8.2.4: never put in by itself, offered with its time and a Discard. */
export function DraftOffer({ offer, version, onRestore, onDiscard }: DraftOfferProps) {
  const isOlder = version !== undefined && offer.value.version !== version;
  return (
    <Alert
      tone="info"
      title={`A draft from ${formatDateTime(new Date(offer.savedAt))} was not saved`}
      actions={
        <>
          <Button size="sm" variant="primary" onClick={onRestore}>
            Restore
          </Button>
          <Button size="sm" onClick={onDiscard}>
            Discard
          </Button>
        </>
      }
    >
      {isOlder && 'The challan has been changed since then. Check the fields after restoring.'}
    </Alert>
  );
}

interface ErrorSummaryProps {
  problem: Problem;
  onGoTo: (field: FieldName) => void;
  onSaveAsNew: () => void;
  onClose: () => void;
  ref: Ref<HTMLDivElement>;
}

/** Whether the message says by itself which field it is about: 'Loading weight is required' of 'Loading Weight (MT)'. */
function names(message: string, label: string): boolean {
  return message.toLowerCase().includes(label.replace(/ \(.*\)$/, '').toLowerCase());
}

/**
 * On top of the form, with a link to each field and the words beside it (docs/specification.md §19.4). What is
 * corrected since is struck out and stays where it is, so that nothing moves under the hand.
 */
export function ErrorSummary({ problem, onGoTo, onSaveAsNew, onClose, ref }: ErrorSummaryProps) {
  const { errors } = useFormState({ control: useFormParts().model.form.control });
  return (
    <Alert
      ref={ref}
      title={problem.title}
      onClose={onClose}
      actions={
        problem.maySaveAsNew && (
          <Button size="sm" onClick={onSaveAsNew}>
            Save as another challan
          </Button>
        )
      }
    >
      {problem.maySaveAsNew && (
        <p>An earlier attempt may have been saved. Look at the recent challans below before saving it again.</p>
      )}
      {problem.isUnanswered && (
        <p>What you typed is kept. Save again when the connection is back: it is stored once, not twice.</p>
      )}
      {problem.items.length > 0 && (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(20rem,1fr))] gap-x-6">
          {problem.items.map(({ field, message }) => {
            const isMended = errors[field] === undefined;
            const label = fieldLabels[field];
            const isNamed = names(message, label);
            return (
              <li key={field + message}>
                {/* 'Enter 0 or more' alone would leave the eye looking for the field. */}
                {!isNamed && <span className="text-muted">{label}: </span>}
                <a
                  href={`#${field}`}
                  className={isMended ? 'text-muted line-through' : 'text-danger underline underline-offset-2'}
                  onClick={(event) => {
                    event.preventDefault();
                    onGoTo(field);
                  }}
                >
                  {message}
                </a>
                <span className="sr-only">
                  {isNamed && `, ${label}`}
                  {isMended && ', mended'}
                </span>
              </li>
            );
          })}
        </ul>
      )}
      <RequestId id={problem.requestId} />
    </Alert>
  );
}

interface DuplicatesBannerProps {
  found: Found;
  saveAnyway: Action;
  /** false: it has only just come, and a second press of the first save could hit it. */
  isArmed: boolean;
  onClose: () => void;
  /** Takes the focus when the saving was stopped. */
  saveAnywayRef: Ref<HTMLButtonElement>;
}

/** docs/specification.md §8.2.6. It is shown in the bar, which grows upwards: the fields stay where they are. */
export function DuplicatesBanner({ found, saveAnyway, isArmed, onClose, saveAnywayRef }: DuplicatesBannerProps) {
  const isTp = found.sameTp.length > 0;
  return (
    <Alert
      tone="warn"
      className="mb-2"
      title={isTp ? 'This TP No is already on another challan' : 'This vehicle has a challan of the same loading day'}
      onClose={onClose}
      actions={
        found.stopsSaving && (
          <Button
            ref={saveAnywayRef}
            size="sm"
            aria-keyshortcuts="Control+S"
            disabledReason={isArmed ? undefined : 'One moment, to read what was found'}
            onClick={saveAnyway.run}
          >
            {saveAnyway.label}
            <span aria-hidden>
              <KeyHint keys={keysOf(saveAnyway)[0] ?? ''} />
            </span>
          </Button>
        )
      }
    >
      {isTp && <References label="Same TP No" references={found.sameTp} />}
      {found.sameTrip.length > 0 && <References label="Same vehicle and loading day" references={found.sameTrip} />}
    </Alert>
  );
}

const shownCount = 5;

function References({ label, references }: { label: string; references: readonly ChallanReference[] }) {
  return (
    <p>
      {label}:{' '}
      {references.slice(0, shownCount).map((reference, index) => (
        <span key={reference.id}>
          {index > 0 && ', '}
          {/* A tab of its own: what is typed here stays. */}
          <a
            href={`/challans/edit/${reference.id}`}
            target="_blank"
            rel="noopener"
            className="font-medium underline underline-offset-2"
          >
            {reference.challanNumber}
          </a>{' '}
          (TP {reference.tpNo}, {reference.vehicleNo}, {formatDate(reference.loadingDate)})
        </span>
      ))}
      {references.length > shownCount && ` and ${references.length - shownCount} more`}
    </p>
  );
}

/** A day far from today is taken, but not without a word (docs/specification.md §8.3.3). */
export function FarDaysNotice({ model: { form, stored } }: { model: FormModel }) {
  const days = useWatch({ control: form.control, name: dateFields });
  const far = dateFields.flatMap((name, index) => {
    const day = days[index] ?? '';
    const warning = dayWarning(name, day, stored);
    return warning ? [`${fieldLabels[name]} ${formatDate(day)} is ${warning}`] : [];
  });
  if (far.length === 0) return null;
  return (
    <p role="status" className="mb-1.5 text-xs font-medium text-warn">
      {far.join(', ')}. Check before you save.
    </p>
  );
}

/** docs/specification.md §8.5: changing TP, pump or an HSD figure clears the verification; said before it is saved. */
export function HsdNotice({ model }: { model: FormModel }) {
  const { form, stored } = model;
  useWatch({ control: form.control, name: ['tpNo', 'petrolPump', 'hsdPricePerLiter', 'hsdInLiters'] });
  if (!stored?.hsdVerified || !clearsHsd(changedFields(storedValues(stored), form.getValues()))) return null;
  return (
    <p role="status" className="mb-1.5 text-xs font-medium text-warn">
      Saving clears the HSD verification of this challan: its TP No, petrol pump or HSD figures are changed.
    </p>
  );
}

/**
 * A copied challan comes without its material shortage, whose rate is not stored (docs/specification.md §8.4.3): until
 * a rate is entered the net is higher than the one it was copied from, which nobody should have to find out.
 */
export function CopiedShortageNotice({ model, copyFrom }: { model: FormModel; copyFrom: Challan | undefined }) {
  const [materialRate, vehicleNo] = useWatch({ control: model.form.control, name: ['materialRate', 'vehicleNo'] });
  // A form that was cleared, or goes on with the next challan, is no copy any more.
  if (!copyFrom || materialRate !== '' || vehicleNo === '') return null;
  if (!isPositive(copyFrom.materialShortageAmount)) return null;
  return (
    <p role="status" className="mb-1.5 text-xs font-medium text-warn">
      {copyFrom.challanNumber} has a material shortage of {formatINR(copyFrom.materialShortageAmount)}. Its rate is not
      stored: enter Material Rate per MT to deduct it here too.
    </p>
  );
}
