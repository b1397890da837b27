import type { Ref } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { formatDate, formatDateTime } from '../../../../shared/calc/dates.ts';
import type { Challan, ChallanReference } from '../../../../shared/contract/challan.ts';
import { formatINR, isPositive } from '../../../../shared/calc/money.ts';
import type { Draft } from '../../../kit/api/account-storage.ts';
import { Alert } from '../../../kit/ui/alert.tsx';
import { Button } from '../../../kit/ui/button.tsx';
import { RequestId } from '../../../kit/ui/request-id.tsx';
import { KeyHint } from '../../../kit/ui/key-hint.tsx';
import { keysOf, type Action } from '../../../kit/actions/registry.ts';
import type { FormDraft } from './form-memory.ts';
import { useFormParts } from './form-fields.tsx';
import { fieldLabels, storedValues, type FieldName } from './form-values.ts';
import type { Problem } from './use-save.ts';
import type { Found } from './use-duplicates.ts';
import { changedFields, clearsHsd } from './form-changes.ts';
import type { FormModel } from './form-model.ts';

interface DraftOfferProps {
  offer: Draft<FormDraft>;
  /** The challan's current version. If the draft has another one, somebody has saved the challan since. */
  version: number | undefined;
  onRestore: () => void;
  onDiscard: () => void;
}

/** Offers a draft with its time, Restore and Discard. It is never restored automatically (docs/specification.md §8.2.4). */
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

/** Whether the message already names its field, as 'Loading weight is required' does for 'Loading Weight (MT)'. */
function namesField(message: string, label: string): boolean {
  return message.toLowerCase().includes(label.replace(/ \(.*\)$/, '').toLowerCase());
}

/**
 * The error summary above the form, with a link to each field and its message (docs/specification.md §19.4). Corrected errors
 * are struck out and stay in place, so that nothing moves while the user works.
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
        <p>An earlier attempt may have been saved. Check the recent challans below before you save it again.</p>
      )}
      {problem.isUnanswered && (
        <p>Your entries are kept. Save again when the connection is back. The challan is stored only once.</p>
      )}
      {problem.items.length > 0 && (
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(20rem,1fr))] gap-x-6">
          {problem.items.map(({ field, message }) => {
            const isFixed = errors[field] === undefined;
            const label = fieldLabels[field];
            const isNamed = namesField(message, label);
            return (
              <li key={field + message}>
                {/* A message such as 'Enter 0 or more' does not say which field it is about. */}
                {!isNamed && <span className="text-muted">{label}: </span>}
                <a
                  href={`#${field}`}
                  className={isFixed ? 'text-muted line-through' : 'text-danger underline underline-offset-2'}
                  onClick={(event) => {
                    event.preventDefault();
                    onGoTo(field);
                  }}
                >
                  {message}
                </a>
                <span className="sr-only">
                  {isNamed && `, ${label}`}
                  {isFixed && ', corrected'}
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
  /** false right after the banner has appeared, when a double press of Save could hit "Save anyway". */
  isArmed: boolean;
  onClose: () => void;
  /** The button that gets the focus when saving was stopped. */
  saveAnywayRef: Ref<HTMLButtonElement>;
}

/** Possible duplicates (docs/specification.md §8.2.6). The banner is in the summary bar, which grows upwards: no field moves. */
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
            disabledReason={isArmed ? undefined : 'Read the duplicates first'}
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
          {/* Opens in a new tab, so that the entries here stay. */}
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

/** Warns before saving that changing TP, pump or an HSD figure clears the verification (docs/specification.md §8.5). */
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
 * Warns that a copied challan lacks the material shortage of the original, because its rate is not stored
 * (docs/specification.md §8.4.3). Until a rate is entered the net amount is higher than that of the original.
 */
export function CopiedShortageNotice({ model, copyFrom }: { model: FormModel; copyFrom: Challan | undefined }) {
  const [materialRate, vehicleNo] = useWatch({ control: model.form.control, name: ['materialRate', 'vehicleNo'] });
  // After the form was cleared or the challan saved, the form is no longer a copy.
  if (!copyFrom || materialRate !== '' || vehicleNo === '') return null;
  if (!isPositive(copyFrom.materialShortageAmount)) return null;
  return (
    <p role="status" className="mb-1.5 text-xs font-medium text-warn">
      {copyFrom.challanNumber} has a material shortage of {formatINR(copyFrom.materialShortageAmount)}. Its rate is not
      stored: enter Material Rate per MT to deduct it here too.
    </p>
  );
}
