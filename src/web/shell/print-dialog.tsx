import { useRef } from 'react';
import { formatCount } from '../../shared/calc/count-text.ts';
import { ConfirmButton } from '../actions/confirm-button.tsx';
import { FailureAlert } from '../feedback/failure-alert.tsx';
import { ListChanged } from '../grid/printed-rows.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { printAll, printShown, stopPrint, type PrintJob } from '../ui/print-key.ts';

type ShownJob = Exclude<PrintJob, { state: 'stopped' }>;

/** As many rows fit on a sheet of landscape A4: 23 challans, 32 trucks. */
const rowsOnSheet = 25;

const titles: Readonly<Record<ShownJob['state'], (count: string) => string>> = {
  asking: (count) => `Print all ${count} rows?`,
  loading: (count) => `Loading ${count} rows to print`,
  failed: () => 'Nothing was printed',
};

/** Asks before a long list is printed, shows how much of it is loaded, and says when that failed. */
export default function PrintDialog({ job }: { job: ShownJob }) {
  const cancelButton = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      role="alertdialog"
      size="sm"
      title={titles[job.state](formatCount(job.count))}
      onClose={stopPrint}
      initialFocus={cancelButton}
      footer={
        <>
          <Button ref={cancelButton} onClick={stopPrint}>
            Cancel
          </Button>
          <Button onClick={printShown}>Print This Page</Button>
          <ConfirmButton
            label={job.state === 'failed' ? 'Retry' : 'Print All'}
            busy={job.state === 'loading'}
            run={() => void printAll()}
          />
        </>
      }
    >
      <Body job={job} />
    </Dialog>
  );
}

function Body({ job }: { job: ShownJob }) {
  switch (job.state) {
    case 'asking':
      return <p>They fill about {formatCount(Math.ceil(job.count / rowsOnSheet))} sheets of paper.</p>;
    case 'loading':
      return (
        <div className="flex items-center gap-3" role="status">
          <progress className="h-1.5 flex-1 accent-primary" aria-label="Loading" max={job.count} value={job.loaded} />
          <span className="nums whitespace-nowrap">
            {formatCount(job.loaded)} of {formatCount(job.count)} rows loaded
          </span>
        </div>
      );
    case 'failed':
      return job.error instanceof ListChanged ? (
        <p role="alert">{job.error.message}</p>
      ) : (
        <FailureAlert error={job.error} fallback="Failed to load the rows" />
      );
  }
}
