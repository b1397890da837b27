import { Button } from '../../ui/button.tsx';
import { Alert } from '../../ui/alert.tsx';
import { StatCard } from '../../ui/stat-card.tsx';
import type { Verified } from './use-outcome.ts';

interface CompleteTabProps {
  verified: Verified;
  fileName: string;
  /** Valid matches of the file, and how many of them are not verified yet. */
  total: number;
  pending: number;
  /** Valid matches that are another than the file was compared with by now. */
  changed: number;
  onBack: () => void;
}

/** What the last verification did (docs/specification.md §11.1): skipped are those that were verified already. */
export function CompleteTab({ verified, fileName, total, pending, changed, onBack }: CompleteTabProps) {
  const count = (n: number): string => n.toLocaleString('en-IN');
  const isWhole = pending + changed === 0;
  return (
    <>
      <div className="flex max-w-2xl gap-3">
        <StatCard
          label="Verified Count"
          tone="good"
          value={count(verified.verifiedCount)}
          detail="Challans marked as HSD verified now"
        />
        <StatCard
          label="Skipped Count"
          value={count(verified.skippedCount)}
          detail="Challans that were verified already"
        />
      </div>
      <Alert
        className="max-w-2xl"
        tone={isWhole ? 'good' : 'info'}
        title={
          isWhole
            ? 'Every valid match of the file is verified.'
            : `${count(pending + changed)} of ${count(total)} valid matches are not verified yet.`
        }
        actions={
          isWhole ? undefined : (
            <Button size="sm" onClick={onBack}>
              Back to Verification Results
            </Button>
          )
        }
      >
        {changed > 0 && (
          <p>
            {pending === 0 ? 'What is left' : `${count(changed)} of them`} changed after the file was compared: upload
            it again to compare.
          </p>
        )}
        <span className="break-all">{fileName}</span>
      </Alert>
    </>
  );
}
