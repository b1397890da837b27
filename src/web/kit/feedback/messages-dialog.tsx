import { useRef } from 'react';
import { clsx } from 'clsx';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { RequestId } from '../ui/request-id.tsx';
import { useMessages, type MessageKind } from './message-log.ts';
import { Scrolled } from '../ui/page.tsx';

const words: Readonly<Record<MessageKind, { label: string; look: string }>> = {
  success: { label: 'Done', look: 'text-good' },
  info: { label: 'Note', look: 'text-primary' },
  warning: { label: 'Warning', look: 'text-warn' },
  error: { label: 'Error', look: 'text-danger' },
};

/** The messages of this session, newest first. */
export default function MessagesDialog({ onClose }: { onClose: () => void }) {
  const messages = useMessages();
  const list = useRef<HTMLDivElement>(null);
  return (
    <Dialog
      title="Messages"
      description="The last 50 messages since this page was opened. Logout deletes them."
      size="lg"
      closeOnOutside
      onClose={onClose}
      initialFocus={list}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <Scrolled ref={list} aria-label="Messages" className="outline-none">
        {messages.length === 0 && <EmptyState title="No messages yet" />}
        {messages.length > 0 && (
          <table className="w-full border-collapse text-left">
            <thead>
              <tr className="border-b border-line text-xs text-muted">
                <th className="py-1 pr-4 font-medium">Time</th>
                <th className="py-1 pr-4 font-medium">Kind</th>
                <th className="py-1 font-medium">Message</th>
              </tr>
            </thead>
            <tbody>
              {messages.map(({ at, kind, text, requestId }, index) => (
                <tr key={`${at}-${messages.length - index}`} className="border-b border-line align-top last:border-b-0">
                  <td className="nums py-1.5 pr-4 whitespace-nowrap text-muted">{formatDateTime(at)}</td>
                  <td className={clsx('py-1.5 pr-4 font-medium', words[kind].look)}>{words[kind].label}</td>
                  <td className="py-1.5 wrap-anywhere">
                    {text}
                    <RequestId id={requestId} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Scrolled>
    </Dialog>
  );
}
