import { useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { HistoryList, type HistoryOf } from './history-list.tsx';

interface HistoryDialogProps {
  of: HistoryOf;
  title: string;
  onClose: () => void;
}

/** A record's history in a dialog over the form that edits it. */
export function HistoryDialog({ of, title, onClose }: HistoryDialogProps) {
  const list = useRef<HTMLDivElement>(null);
  return (
    <Dialog
      size="lg"
      closeOnOutside
      title={title}
      onClose={onClose}
      initialFocus={list}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div
        ref={list}
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
