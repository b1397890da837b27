import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { CheckCheck, RotateCcw } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { canVerifyMatches, reasonOf } from '../../../shared/access.ts';
import { tableFileTypes } from '../../../shared/reading/tables.ts';
import type { HsdUploadResult } from '../../../shared/contract/hsd-verification.ts';
import { hsdCommands, hsdResultCommands } from './hsd-verification-actions.ts';
import { useCommands } from '../../kit/actions/registry.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { confirm } from '../../kit/feedback/confirm.tsx';
import type { PetrolPumpChoice } from '../master-data/index.ts';
import { screens } from '../../screens.ts';
import { refusalOf } from '../../kit/api/seat.ts';
import { hsdVerification } from '../../resources/hsd-verification.ts';
import { Page } from '../../kit/ui/page.tsx';
import { FileInput } from '../../kit/ui/file-input.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { Tabs } from '../../kit/ui/tabs.tsx';
import { useFileDrop } from '../../kit/ui/use-file-drop.ts';
import { firstPlace } from './result-tables.tsx';
import { ResultsTab, shownMatches } from './results-tab.tsx';
import { UploadTab } from './upload-tab.tsx';
import { useMatchSelection } from './use-match-selection.ts';
import { useOutcome, type Verified } from './use-outcome.ts';
import { useUpload } from './use-upload.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Alert } from '../../kit/ui/alert.tsx';
import { StatCard } from '../../kit/ui/stat-card.tsx';

const steps = ['upload', 'results', 'complete'] as const;
type Step = (typeof steps)[number];

const uploading = 'A file is being uploaded';
const verifying = 'The challans are being verified';
const noResult = 'Upload a file first';
const notVerified = 'Verify the valid matches first';

/** /hsd-verification: compares a petrol pump's file with the challans, in three tabs (docs/specification.md §11.1). */
export function HsdVerificationPage() {
  const {
    mismatches,
    notFound,
    accept,
    outcome,
    replaceOutcome,
    matches,
    pending,
    changed,
    verified,
    verify,
    isVerifying,
    noteReview,
  } = useOutcome();
  const [step, setStep] = useState<Step>(outcome ? 'results' : 'upload');
  const [place, setPlace] = useState(firstPlace);
  const screenRef = useRef<HTMLDivElement>(null);
  const fileInputRef = useRef<HTMLInputElement>(null);
  /**
   * True while a step was changed by a key or by the screen itself: the focus then moves into the new tab. A tab that
   * was clicked keeps the focus.
   */
  const shouldMoveFocus = useRef(false);
  const goTo = useCallback((next: Step): void => {
    shouldMoveFocus.current = true;
    setStep(next);
  }, []);
  const moveFocus = useCallback((selector: string): void => {
    if (!shouldMoveFocus.current) return;
    shouldMoveFocus.current = false;
    screenRef.current?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
  }, []);

  const all = useMemo(() => matches ?? [], [matches]);
  const choice = useMatchSelection(
    all,
    useMemo(() => shownMatches(all, place), [all, place]),
    noteReview,
  );
  const { chosen, clear } = choice;

  const [pump, setPump] = useState<PetrolPumpChoice | null>(null);
  const upload = useUpload(
    pump?.id,
    useCallback(
      (result: HsdUploadResult, fileName: string) => {
        replaceOutcome({ result, fileName });
        clear();
        setPlace(firstPlace);
        goTo('results');
      },
      [replaceOutcome, clear, goTo],
    ),
  );
  const isUploading = upload.sending !== undefined;
  const reasons: Record<Step, string | undefined> = {
    upload: isUploading ? uploading : undefined,
    results: isUploading ? uploading : outcome ? undefined : noResult,
    complete: isUploading ? uploading : verified ? undefined : notVerified,
  };

  /** Resolves to true if nothing would be lost or if the user agrees. */
  const confirmDiscard = async (title: string, confirmLabel: string): Promise<boolean> => {
    if (!outcome || (verified && pending.length === 0)) return true;
    const open = pending.length === 1 ? '1 valid match' : `${formatCount(pending.length)} valid matches`;
    const loss =
      pending.length === 0
        ? `The results of ${outcome.fileName} will be removed.`
        : `${open} of ${outcome.fileName} ${pending.length === 1 ? 'is' : 'are'} not verified yet. The results will be removed.`;
    return confirm({ title, body: `${loss} Upload the file again to see them.`, confirmLabel, danger: true });
  };
  const startNew = async (): Promise<void> => {
    if (!(await confirmDiscard('Start a new verification?', 'Start New Verification'))) return;
    replaceOutcome(undefined);
    clear();
    setPlace(firstPlace);
    upload.dismissFailure();
    goTo('upload');
  };
  const verifyMatches = async (): Promise<void> => {
    const isDone = await verify((chosen.length > 0 ? chosen : pending).map(({ challanId }) => challanId));
    if (!isDone) return;
    clear();
    goTo('complete');
  };
  const { start } = upload;
  const onFiles = async (files: readonly File[]): Promise<void> => {
    setStep('upload');
    if (await confirmDiscard('Replace the results?', 'Upload the Other File')) start(files);
  };
  const busyReason =
    refusalOf(hsdVerification.calls.upload) ?? (isUploading ? uploading : isVerifying ? verifying : undefined);
  const isOver = useFileDrop((files) => void onFiles(files), step === 'upload' && busyReason === undefined);

  const stepIndex = steps.indexOf(step);
  const goToStep = (to: Step | undefined): void => to && goTo(to);
  const actions = useCommands(hsdCommands, {
    choose: { disabledReason: busyReason, run: () => fileInputRef.current?.click() },
    startNew: { disabledReason: busyReason ?? (outcome ? undefined : noResult), run: () => void startNew() },
    previousTab: {
      disabledReason: stepIndex === 0 ? 'You are on the first tab' : reasons[steps[stepIndex - 1] ?? 'upload'],
      run: () => goToStep(steps[stepIndex - 1]),
    },
    nextTab: {
      disabledReason:
        stepIndex === steps.length - 1 ? 'You are on the last tab' : reasons[steps[stepIndex + 1] ?? 'upload'],
      run: () => goToStep(steps[stepIndex + 1]),
    },
  });

  return (
    <Page
      fill
      title="HSD Verification"
      actions={
        <>
          <Link to={screens.pumpLedger.path}>Pump ledger</Link>
          {outcome && (
            <>
              <ActionButton
                action={actions.startNew}
                variant={step === 'complete' ? 'primary' : 'secondary'}
                icon={RotateCcw}
              />
              {step === 'results' && (
                <VerifyButton
                  choice={choice}
                  pending={pending.length}
                  isVerifying={isVerifying}
                  onVerify={() => void verifyMatches()}
                />
              )}
            </>
          )}
        </>
      }
    >
      <FileInput
        inputRef={fileInputRef}
        label="File to verify"
        types={tableFileTypes}
        onFile={(file) => void onFiles([file])}
      />
      <div ref={screenRef} className="flex min-h-0 flex-1 flex-col">
        <Tabs<Step>
          fill
          label="Steps of the verification"
          value={step}
          onValueChange={setStep}
          onRefused={(reason) => notify.info(reason, { kind: reason, many: () => reason })}
          tabs={[
            {
              value: 'upload',
              label: 'Upload File',
              disabledReason: reasons.upload,
              content: (
                <>
                  <UploadTab
                    upload={upload}
                    pump={pump}
                    onPump={setPump}
                    isOver={isOver}
                    onChoose={actions.choose.run}
                    onFiles={(files) => void onFiles(files)}
                    disabledReason={busyReason}
                  />
                  <FocusOnMount onShown={() => moveFocus('[role="tabpanel"] button')} />
                </>
              ),
            },
            {
              value: 'results',
              label: 'Verification Results',
              disabledReason: reasons.results,
              content: outcome && (
                <>
                  <ResultsTab
                    {...outcome}
                    matches={all}
                    pending={pending.length}
                    changed={changed}
                    place={place}
                    onPlace={setPlace}
                    choice={choice}
                    mismatches={mismatches}
                    notFound={notFound}
                    onAccept={accept}
                  />
                  <FocusOnMount onShown={() => moveFocus('[role="tabpanel"] [role="tab"][data-state="active"]')} />
                </>
              ),
            },
            {
              value: 'complete',
              label: 'Verification Complete',
              disabledReason: reasons.complete,
              content: outcome && verified && (
                <>
                  <CompleteTab
                    verified={verified}
                    fileName={outcome.fileName}
                    total={all.length}
                    pending={pending.length}
                    changed={changed.length}
                    onBack={() => goTo('results')}
                  />
                  <FocusOnMount onShown={() => moveFocus('[role="tab"][data-state="active"]')} />
                </>
              ),
            },
          ]}
        />
      </div>
    </Page>
  );
}

/** The last element of a tab. Once it is mounted, the elements that get the focus are mounted too. */
function FocusOnMount({ onShown }: { onShown: () => void }) {
  const latest = useRef(onShown);
  useEffect(() => latest.current(), []);
  return null;
}

interface VerifyButtonProps {
  choice: ReturnType<typeof useMatchSelection>;
  pending: number;
  isVerifying: boolean;
  onVerify: () => void;
}

/**
 * Its label says what it verifies: the selected valid matches or, without a selection, all of them
 * (docs/specification.md §11.1).
 */
function VerifyButton({ choice, pending, isVerifying, onVerify }: VerifyButtonProps) {
  const { chosen, clear, selectAll } = choice;
  const noMatches = reasonOf(canVerifyMatches(pending));
  const actions = useCommands(hsdResultCommands, {
    verify: {
      label: chosen.length > 0 ? `Verify ${formatCount(chosen.length)} selected` : `Verify all ${formatCount(pending)}`,
      disabledReason: isVerifying ? verifying : noMatches,
      run: onVerify,
    },
    selectAll: { disabledReason: noMatches, run: () => selectAll?.() },
    // Without a selection Escape is left alone: there is nothing to clear.
    clear: chosen.length > 0 ? clear : { keys: undefined, disabledReason: 'Nothing is selected', run: clear },
  });
  return (
    <ActionButton
      action={actions.verify}
      variant="primary"
      icon={CheckCheck}
      disabledReason={noMatches}
      busy={isVerifying}
    />
  );
}

interface CompleteTabProps {
  verified: Verified;
  fileName: string;
  /** The number of valid matches in the file, and how many of them are not verified yet. */
  total: number;
  pending: number;
  /** The number of valid matches whose challan changed after the file was compared with it. */
  changed: number;
  onBack: () => void;
}

/** The result of the last verification (docs/specification.md §11.1). Skipped challans were already verified. */
function CompleteTab({ verified, fileName, total, pending, changed, onBack }: CompleteTabProps) {
  const isComplete = pending + changed === 0;
  return (
    <>
      <div className="flex max-w-2xl gap-3">
        <StatCard
          label="Verified Count"
          tone="good"
          value={formatCount(verified.verifiedCount)}
          detail="Challans that were marked as HSD verified"
        />
        <StatCard
          label="Skipped Count"
          value={formatCount(verified.skippedCount)}
          detail="Challans that were already verified"
        />
      </div>
      <Alert
        className="max-w-2xl"
        tone={isComplete ? 'good' : 'info'}
        title={
          isComplete
            ? 'Every valid match of the file is verified.'
            : `${formatCount(pending + changed)} of ${formatCount(total)} valid matches are not verified yet.`
        }
        actions={
          isComplete ? undefined : (
            <Button size="sm" onClick={onBack}>
              Back to Verification Results
            </Button>
          )
        }
      >
        {changed > 0 && (
          <p>
            {pending === 0 ? 'The rest' : `${formatCount(changed)} of them`} changed after the file was compared. Upload
            the file again to compare.
          </p>
        )}
        <span className="break-all">{fileName}</span>
      </Alert>
    </>
  );
}
