import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useFormState } from 'react-hook-form';
import { useNavigate } from 'react-router-dom';
import { ArrowLeft, History } from 'lucide-react';
import type { Challan } from '../../../shared/contract/challan.ts';
import { challanFormActions } from '../../actions/challan-form.ts';
import { buttonOf, useActions } from '../../actions/registry.ts';
import { HistoryDialog } from '../../filters/history-dialog.tsx';
import { ClashList } from '../../forms/clash-list.tsx';
import { usePreference } from '../../shell/account-storage.ts';
import { useLeaveGuard } from '../../shell/leave-guard.ts';
import { Page } from '../../shell/page.tsx';
import type { OwnerChoice } from '../../shell/pickers.tsx';
import { notify } from '../../shell/toast.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { AdditionalSection } from './additional-section.tsx';
import { FinancialSection, WeightSection } from './amount-sections.tsx';
import { BasicSection } from './basic-section.tsx';
import { CopiedShortageNotice } from './copied-shortage-notice.tsx';
import { CreateInPlace, creationPlace, keptCreation } from './create-in-place.tsx';
import { DraftOffer } from './draft-offer.tsx';
import { draftKey } from './draft.ts';
import { DuplicatesBanner } from './duplicates-banner.tsx';
import { ErrorSummary } from './error-summary.tsx';
import { controlNamed, enter } from './field-walk.ts';
import { FormProvider, type Creation } from './form-context.ts';
import type { FormValues } from './form-values.ts';
import { HsdNotice } from './hsd-notice.tsx';
import { LiveFigures } from './live-figures.tsx';
import { RecentStrip } from './recent-strip.tsx';
import { SummaryBar } from './summary-bar.tsx';
import { useDuplicates } from './use-duplicates.ts';
import { clearedTexts, useFieldKeys } from './use-field-keys.ts';
import { useFormModel } from './use-form-model.ts';
import { useLastTds } from './use-last-tds.ts';
import { useRecentChallans } from './use-recent-challans.ts';
import { useSave } from './use-save.ts';
import { useVehicleLookup } from './use-vehicle-lookup.ts';

interface ChallanFormProps {
  /** The challan to edit; absent: a new one. */
  stored?: Challan;
  /** A challan whose values a new one starts with. */
  copyFrom?: Challan | undefined;
}

const draftKept = 'What you have typed is kept as a draft and offered when you come back.';

/** Part 2 §2.2: create and edit share one form. */
export function ChallanForm({ stored: opened, copyFrom }: ChallanFormProps) {
  const navigate = useNavigate();
  const model = useFormModel(opened, copyFrom);
  const { form, mode, isDirty, stored } = model;
  const isNew = mode === 'create';
  const lookup = useVehicleLookup(model, copyFrom?.vehicleNo);
  const duplicates = useDuplicates(model);
  const recent = useRecentChallans(isNew);
  const lastTds = useLastTds(model);
  const { errors } = useFormState({ control: form.control });

  const [skipsRemembered, setSkipsRemembered] = usePreference('challan-form.skip-remembered', true);
  const [creation, setCreation] = useState<Creation | undefined>(() => keptCreation(draftKey(opened?.id)));
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  useLeaveGuard(isDirty && !isLeaving, draftKept);
  useEffect(() => {
    // The guard must have seen that nothing is left to lose.
    if (isLeaving) void navigate('/challans');
  }, [isLeaving, navigate]);

  const formRef = useRef<HTMLFormElement>(null);
  const submitRef = useRef<HTMLButtonElement>(null);
  const problemRef = useRef<HTMLDivElement>(null);
  const clashRef = useRef<HTMLDivElement>(null);
  const duplicatesRef = useRef<HTMLDivElement>(null);

  const startAnew = (): void => {
    flushSync(() => model.begin());
    lookup.accept(stored?.vehicleNo ?? '');
    duplicates.forget();
    formRef.current?.closest('main')?.scrollTo({ top: 0 });
    keys.goToFirst();
  };
  const saving = useSave(model, duplicates, {
    // In this order: a pick and a vehicle bring an owner, who brings the percentage.
    settled: async () => {
      await model.track.pickers.settled();
      await lookup.settled();
      await lastTds.settled();
    },
    onCreated: () => startAnew(),
    onUpdated: () => {
      model.settle();
      setLeaving(true);
    },
    onStopped: (at) => {
      const place = { problem: problemRef, clashes: clashRef, duplicates: duplicatesRef }[at];
      place.current?.focus();
    },
  });
  const keys = useFieldKeys({
    model,
    formRef,
    submitRef,
    skipsRemembered,
    onlyErrors: (saving.problem?.items.length ?? 0) > 0,
  });

  useEffect(() => {
    const first = formRef.current && controlNamed(formRef.current, 'tpNo');
    if (first) enter(first);
  }, [formRef]);

  const clear = (): void => {
    try {
      const before = form.getValues();
      startAnew();
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
  const isVehicleUnknown = lookup.news.kind === 'unknown';
  const actions = challanFormActions({
    mode,
    save: () => void saving.save(),
    clear,
    cancel: leave,
    nextError: keys.nextError,
    hasErrors: Object.keys(errors).length > 0,
    goToSection: keys.goToSection,
    goToLoadingDate: () => keys.goTo('loadingDate'),
    copyFromLast: () => keys.copyFrom(recent[0]),
    openHistory: () => setHistoryOpen(true),
    createTruck: () => setCreation({ kind: 'truck', text: form.getValues('vehicleNo') }),
    isVehicleUnknown,
    duplicate: duplicates.found?.stopsSaving
      ? { saveAnyway: () => void saving.save({ acceptDuplicates: true }) }
      : undefined,
    isSending: saving.isSending,
  });
  useActions(actions.all);

  const parts = {
    model,
    vehicle: lookup.news,
    tdsHint: lastTds.hint,
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
            <Checkbox
              label="Enter skips remembered fields"
              className="mr-2 text-muted"
              checked={skipsRemembered}
              onCheckedChange={setSkipsRemembered}
            />
          )}
          {stored && (
            <Button icon={<History size={14} aria-hidden />} {...buttonOf(actions.history)}>
              {actions.history.label}
            </Button>
          )}
          <Button {...buttonOf(actions.clear)}>{actions.clear.label}</Button>
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
        <ClashList focus={clashRef} noun="This challan" rows={model.clashes} onTheirs={model.takeTheirs} />
        <LiveFigures model={model}>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Enter walks its fields, which have the focus */}
          <form
            ref={formRef}
            noValidate
            aria-label={isNew ? 'Create Challans' : 'Edit Challan'}
            // While it is sent nothing can be typed that its answer would sweep away.
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
                    ref={duplicatesRef}
                    found={duplicates.found}
                    saveAnyway={actions.saveAnyway}
                    onClose={duplicates.forget}
                  />
                )}
                <HsdNotice model={model} />
                <CopiedShortageNotice model={model} copyFrom={copyFrom} />
              </>
            }
            buttons={
              <>
                <Button {...buttonOf(actions.cancel)}>{actions.cancel.label}</Button>
                <Button
                  ref={submitRef}
                  variant="primary"
                  busy={saving.isSending || saving.isWaiting}
                  {...buttonOf(actions.save)}
                >
                  {actions.save.label}
                </Button>
              </>
            }
          />
        </LiveFigures>
        {isNew && <RecentStrip challans={recent} />}
      </FormProvider>
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
          keepAs={creationPlace(draftKey(opened?.id), creation.kind)}
          owner={ownerChosen(form.getValues())}
          onClose={close}
          onOwner={({ id, name, contactNumber }) => {
            close();
            model.put('ownerName', name);
            model.put('ownerContactNumber', contactNumber);
            model.put('ownerId', id);
          }}
          onDiscounter={({ id, name, contactNumber }) => {
            close();
            model.put('discounter', { id, name, contactNumber });
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
