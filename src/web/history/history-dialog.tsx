import { useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { HistoryList, type HistoryOf } from './history-list.tsx';

interface HistoryDialogProps {
  of: HistoryOf;
  title: string;
  onClose: () => void;
}

/** A record's history beside the form it is edited in. */
export function HistoryDialog({ of, title, onClose }: HistoryDialogProps) {
  const first = useRef<HTMLDivElement>(null);
  return (
    <Dialog
      open
      size="lg"
      closeOnOutside
      title={title}
      onClose={onClose}
      initialFocus={first}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div
        ref={first}
        role="group"
        aria-label={title}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- with the focus here the arrow keys scroll the list
        tabIndex={0}
        className="outline-none"
      >
        <HistoryList of={of} />
      </div>
    </Dialog>
  );
}
