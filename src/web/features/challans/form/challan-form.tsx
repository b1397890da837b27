import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useFormState } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import { ArrowLeft, History } from 'lucide-react';
import type { Challan } from '../../../../shared/contract/challan.ts';
import { isLockedField } from '../../../../shared/contract/locked-fields.ts';
import { challanFormCommands } from '../challan-form-actions.ts';
import { useLockOf } from '../locked.ts';
import { ActionButton } from '../../../kit/actions/action-button.tsx';
import { useCommands } from '../../../kit/actions/registry.ts';
import { HistoryDialog } from '../../../kit/history/history-dialog.tsx';
import { ConflictList } from '../../../kit/forms/conflict-list.tsx';
import { usePreference } from '../../../kit/api/account-storage.ts';
import { useLeaveGuard } from '../../../kit/feedback/leave-guard.ts';
import { Page } from '../../../kit/ui/page.tsx';
import {
  type OwnerChoice,
  type PetrolPumpChoice,
  type TagChoice,
  OwnerFormDialog,
  PetrolPumpFormDialog,
  TagFormDialog,
  TruckFormDialog,
} from '../../master-data/index.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Checkbox } from '../../../kit/ui/checkbox.tsx';
import { useArmed } from '../../../kit/ui/double-press.ts';
import { hasKeptEntries } from '../../../kit/forms/kept-entries.ts';
import { AdditionalSection, FinancialSection, WeightSection } from './sections.tsx';
import { BasicSection } from './basic-section.tsx';
import { CopiedShortageNotice, DraftOffer, DuplicatesBanner, ErrorSummary, HsdNotice } from './notices.tsx';
import { draftKey } from './form-memory.ts';
import { clearedTexts, controlNamed, enter, useFieldKeys } from './field-keys.ts';
import { FormProvider, LiveFigures, type Creation } from './form-fields.tsx';
import type { FormValues } from './form-values.ts';
import { useStops } from './stops.ts';
import { Plausible, PlausibleNotice } from './plausible.tsx';
import { RecentStrip, useRecentChallans } from './recent-challans.tsx';
import { SummaryBar } from './summary-bar.tsx';
import { StopsDialog } from './stops-dialog.tsx';
import { useDuplicates } from './use-duplicates.ts';
import { useFormModel } from './form-model.ts';
import { useTds, useVehicleLookup } from './lookups.ts';
import { useSave } from './use-save.ts';

interface ChallanFormProps {
  /** The challan to edit; absent for a new one. */
  stored?: Challan;
  /** The challan that a new one is copied from. */
  copyFrom?: Challan | undefined;
}

const noDuplicates = {};
const noStops: ReadonlySet<string> = new Set();
const draftKept = 'Your entries are kept as a draft. You can restore them when you come back.';

/** The form for creating and editing a challan (docs/specification.md §8.2). */
export function ChallanForm({ stored: opened, copyFrom }: ChallanFormProps) {
  const navigate = useNavigate();
  const model = useFormModel(opened, copyFrom);
  const { form, mode, isDirty, stored } = model;
  const isNew = mode === 'create';
  const duplicates = useDuplicates(model);
  const lookup = useVehicleLookup(model, { known: copyFrom?.vehicleNo, onCompleted: duplicates.checkTyped });
  const recent = useRecentChallans(isNew);
  const tds = useTds(model);
  const locked = useLockOf(stored !== undefined)(stored);
  const isBannerArmed = useArmed(duplicates.found ?? noDuplicates);
  const { errors } = useFormState({ control: form.control });

  const [skipsRemembered, setSkipsRemembered] = usePreference('challan-form.skip-remembered', true);
  const [stops, changeStop] = useStops();
  const [isChoosingStops, setChoosingStops] = useState(false);
  const [creation, setCreation] = useState<Creation | undefined>(() => keptCreation(draftKey(opened?.id)));
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  useLeaveGuard(isDirty && !isLeaving, draftKept);
  useEffect(() => {
    // Navigate in an effect, after the leave guard has been told that nothing is unsaved.
    if (isLeaving) void navigate('/challans');
  }, [isLeaving, navigate]);

  const formRef = useRef<HTMLFormElement>(null);
  const submitRef = useRef<HTMLButtonElement>(null);
  const problemRef = useRef<HTMLDivElement>(null);
  const conflictRef = useRef<HTMLDivElement>(null);
  const saveAnywayRef = useRef<HTMLButtonElement>(null);

  const startOver = (): void => {
    flushSync(() => model.begin());
    lookup.accept(stored?.vehicleNo ?? '');
    duplicates.forget();
    formRef.current?.closest('main')?.scrollTo({ top: 0 });
    keys.goToFirst();
  };
  const saving = useSave(model, duplicates, {
    // The order matters: a pick or a vehicle sets the owner, and the owner sets the TDS percentage.
    settled: async () => {
      await model.track.pickers.settled();
      await lookup.settled();
      await tds.settled();
    },
    onCreated: () => startOver(),
    onUpdated: () => {
      model.settle();
      setLeaving(true);
    },
    onStopped: (at) => {
      const place = { problem: problemRef, conflicts: conflictRef, duplicates: saveAnywayRef }[at];
      place.current?.focus();
    },
  });
  const keys = useFieldKeys({
    model,
    formRef,
    submitRef,
    skipsRemembered,
    stops,
    isOwnerAwaited: lookup.isPending,
    onlyErrors: (saving.problem?.items.length ?? 0) > 0,
  });

  // A layout effect, so that the focus is placed before the next key press.
  useLayoutEffect(() => {
    const first = formRef.current && controlNamed(formRef.current, 'tpNo');
    if (first) enter(first);
  }, [formRef]);

  const clear = (): void => {
    try {
      const before = model.snapshot();
      startOver();
      saving.dismiss();
      notify.undo(clearedTexts[mode], () => {
        model.undoBegin(before);
        lookup.accept(form.getValues('vehicleNo'));
      });
    } catch {
      notify.error('Error clearing form, but you can manually clear it.');
    }
  };

  const leave = (): void => void navigate('/challans');
  const isVehicleUnknown = lookup.result.kind === 'unknown';
  const saveAnyway = duplicates.found?.stopsSaving
    ? (): void => {
        if (isBannerArmed) void saving.save({ acceptDuplicates: true });
      }
    : undefined;
  const actions = useCommands(challanFormCommands(mode), {
    saveAnyway,
    save: saveAnyway ?? (() => void saving.save()),
    clear: { disabledReason: saving.isSending ? 'The challan is being saved.' : undefined, run: clear },
    cancel: leave,
    nextError: {
      disabledReason: Object.keys(errors).length > 0 ? undefined : 'No field has an error.',
      run: keys.nextError,
    },
    nextSection: () => keys.goToSection(1),
    previousSection: () => keys.goToSection(-1),
    loadingDate: () => keys.goTo('loadingDate'),
    copy: isNew ? () => keys.copyFrom(recent[0]) : undefined,
    stops: isNew ? () => setChoosingStops(true) : undefined,
    history: isNew ? undefined : () => setHistoryOpen(true),
    createTruck: {
      disabledReason: isVehicleUnknown ? undefined : 'The vehicle number is empty, or its truck exists already.',
      run: () => setCreation({ kind: 'truck', text: form.getValues('vehicleNo') }),
    },
  });

  const parts = {
    model,
    vehicle: lookup.result,
    tds,
    // The rate that is not stored changes the material shortage.
    lockedReason: (name: string) => (isLockedField(name) || name === 'materialRate' ? locked : undefined),
    stops: isNew && skipsRemembered ? stops : noStops,
    onVehicleLeft: () => lookup.lookUp(form.getValues('vehicleNo')),
    onTripLeft: duplicates.checkTyped,
    advance: keys.advance,
    create: setCreation,
  };
  const close = (): void => setCreation(undefined);

  return (
    <Page
      title={isNew ? 'Create Challans' : 'Edit Challan'}
      aside={stored && <span className="nums rounded bg-sunken px-1.5 py-0.5 text-muted">{stored.challanNumber}</span>}
      actions={
        <>
          {isNew && (
            <>
              <Checkbox
                label="Enter skips remembered fields"
                className="mr-2 text-muted"
                checked={skipsRemembered}
                onCheckedChange={setSkipsRemembered}
              />
              <ActionButton action={actions.stops} />
            </>
          )}
          {stored && <ActionButton action={actions.history} icon={History} />}
          <ActionButton action={actions.clear} />
          <Button icon={<ArrowLeft size={14} aria-hidden />} onClick={leave}>
            Back to Challans
          </Button>
        </>
      }
    >
      <FormProvider value={parts}>
        {model.offer && (
          <DraftOffer
            offer={model.offer}
            version={stored?.version}
            onRestore={() => {
              flushSync(() => model.restoreDraft());
              lookup.accept(form.getValues('vehicleNo'));
              keys.goToFirst();
            }}
            onDiscard={() => {
              flushSync(() => model.discardDraft());
              keys.goToFirst();
            }}
          />
        )}
        {saving.problem && (
          <ErrorSummary
            ref={problemRef}
            problem={saving.problem}
            onGoTo={keys.goTo}
            onSaveAsNew={() => void saving.save({ asNew: true })}
            onClose={saving.dismiss}
          />
        )}
        <ConflictList focus={conflictRef} noun="This challan" rows={model.conflicts} onTheirs={model.takeTheirs} />
        <LiveFigures model={model}>
          <Plausible model={model}>
            {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Enter moves between the fields, which have the focus */}
            <form
              ref={formRef}
              noValidate
              aria-label={isNew ? 'Create Challans' : 'Edit Challan'}
              // While the challan is being saved nothing can be typed, because the answer would overwrite it.
              inert={saving.isSending}
              className="grid gap-3 [&_input]:scroll-mb-32 [&_textarea]:scroll-mb-32"
              onSubmit={(event) => event.preventDefault()}
              onKeyDown={keys.onKeyDown}
            >
              <BasicSection />
              <div className="grid grid-cols-[11.25rem_1fr] gap-3 max-[56rem]:grid-cols-1 2xl:grid-cols-[16rem_1fr]">
                <WeightSection />
                <FinancialSection />
              </div>
              <AdditionalSection />
            </form>
            <SummaryBar
              notice={
                <>
                  {duplicates.found && (
                    <DuplicatesBanner
                      saveAnywayRef={saveAnywayRef}
                      found={duplicates.found}
                      saveAnyway={actions.saveAnyway}
                      isArmed={isBannerArmed}
                      onClose={duplicates.forget}
                    />
                  )}
                  <PlausibleNotice />
                  <HsdNotice model={model} />
                  <CopiedShortageNotice model={model} copyFrom={copyFrom} />
                </>
              }
              buttons={
                <>
                  <ActionButton action={actions.cancel} />
                  <ActionButton
                    action={actions.save}
                    ref={submitRef}
                    variant="primary"
                    busy={saving.isSending || saving.isWaiting}
                  />
                </>
              }
            />
          </Plausible>
        </LiveFigures>
        {isNew && <RecentStrip challans={recent} />}
      </FormProvider>
      {isChoosingStops && <StopsDialog stops={stops} onChange={changeStop} onClose={() => setChoosingStops(false)} />}
      {stored && isHistoryOpen && (
        <HistoryDialog
          of={{ noun: 'challan', id: stored.id }}
          title={`History of ${stored.challanNumber}`}
          onClose={() => setHistoryOpen(false)}
        />
      )}
      {creation && (
        <CreateInPlace
          creation={creation}
          entriesKey={creationKey(draftKey(opened?.id), creation.kind)}
          owner={ownerChosen(form.getValues())}
          onClose={close}
          onOwner={({ id, name, contactNumber }) => {
            close();
            model.put('ownerName', name);
            model.put('ownerContactNumber', contactNumber);
            model.put('ownerId', id);
          }}
          onDiscounter={({ id, name }) => {
            close();
            model.put('discounter', { id, name });
          }}
          onTag={({ id, name, color }) => {
            close();
            model.put('tag', { id, name, color });
          }}
          onPetrolPump={({ id, name }) => {
            close();
            model.put('petrolPump', { id, name });
            if (model.form.getValues('hsdInLiters') === '0.00') model.put('hsdInLiters', '');
          }}
          onTruck={(truckNumber) => {
            close();
            lookup.lookUpAgain(truckNumber);
          }}
        />
      )}
    </Page>
  );
}

const ownerChosen = ({ ownerId, ownerName, ownerContactNumber }: FormValues): OwnerChoice | null =>
  ownerId === '' ? null : { id: ownerId, name: ownerName, contactNumber: ownerContactNumber };

const kinds: readonly Creation['kind'][] = ['owner', 'discounter', 'tag', 'petrolPump', 'truck'];
/** The key of the entries in a dialog that creates a record. `form` is the key of the challan form's draft. */
const creationKey = (form: string, kind: Creation['kind']): string => `${form}.${kind}`;

/** The record that was being created when the session expired. Its dialog opens by itself, with the kept entries. */
function keptCreation(form: string): Creation | undefined {
  const kind = kinds.find((item) => hasKeptEntries(creationKey(form, item)));
  return kind && { kind, text: '' };
}

interface CreateInPlaceProps {
  creation: Creation;
  /** The key under which the dialog's entries are kept when the session expires. */
  entriesKey: string;
  /** The owner chosen in the form, for a new truck. */
  owner: OwnerChoice | null;
  onClose: () => void;
  onOwner: (owner: OwnerChoice) => void;
  onDiscounter: (owner: OwnerChoice) => void;
  onTag: (tag: TagChoice) => void;
  onPetrolPump: (petrolPump: PetrolPumpChoice) => void;
  onTruck: (truckNumber: string) => void;
}

/** The dialog of a picker's 'Create "…"' (docs/specification.md §3.2). It returns to the field with the new record chosen. */
function CreateInPlace({ creation, entriesKey, owner, onClose, ...chosen }: CreateInPlaceProps) {
  const { kind, text } = creation;
  const frame = { entriesKey, onClose };
  if (kind === 'tag') return <TagFormDialog start={{ name: text }} {...frame} onSaved={chosen.onTag} />;
  if (kind === 'petrolPump') {
    return <PetrolPumpFormDialog start={{ name: text }} {...frame} onSaved={chosen.onPetrolPump} />;
  }
  if (kind === 'truck') {
    return (
      <TruckFormDialog
        start={{ truckNumber: text.trim().toUpperCase(), owner }}
        {...frame}
        onSaved={(truck) => chosen.onTruck(truck.truckNumber)}
      />
    );
  }
  // If only digits were typed into the picker, they are a phone number.
  const start = /^[\d\s]+$/.test(text) ? { contactNumber: text } : { name: text };
  return <OwnerFormDialog start={start} {...frame} onSaved={kind === 'owner' ? chosen.onOwner : chosen.onDiscounter} />;
}
