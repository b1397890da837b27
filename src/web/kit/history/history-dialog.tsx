import { useRef } from 'react';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { HistoryList, type HistoryOf } from './history-list.tsx';
import { Scrolled } from '../ui/page.tsx';

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
      <Scrolled ref={list} aria-label={title} className="outline-none">
        <HistoryList of={of} />
      </Scrolled>
    </Dialog>
  );
}
