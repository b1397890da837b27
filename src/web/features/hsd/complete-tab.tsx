import { formatCount } from '../../../shared/calc/count-text.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Alert } from '../../kit/ui/alert.tsx';
import { StatCard } from '../../kit/ui/stat-card.tsx';
import type { Verified } from './use-outcome.ts';

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
export function CompleteTab({ verified, fileName, total, pending, changed, onBack }: CompleteTabProps) {
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
