import { useRef } from 'react';
import { Copy, MessageCircle } from 'lucide-react';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { Person } from '../../../shared/contract/people.ts';
import { seatNames } from '../../../shared/contract/seats.ts';
import { getSession } from '../../kit/api/session-store.ts';
import { defaultBrand } from '../../kit/api/use-session.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { Button } from '../../kit/ui/button.tsx';
import { copyRefused, copyText } from '../../kit/ui/copy-text.ts';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';

export interface MadeLink {
  person: Person;
  token: string;
}

/** Shows a link with which a person joins or sets a new password. The server keeps its hash, so it is shown once. */
export function LinkDialog({ made, onClose }: { made: MadeLink; onClose: () => void }) {
  const { person, token } = made;
  const copyButton = useRef<HTMLButtonElement>(null);
  // Behind the #, so that no log of a server has it.
  const link = `${location.origin}/join#${token}`;
  const business = getSession()?.user.bannerName ?? defaultBrand;
  const what =
    person.joinedAt === null
      ? `${business} invites you to ${defaultBrand} as ${seatNames[person.seat]}.`
      : `Set a new password for ${business} in ${defaultBrand}.`;
  const copy = async (): Promise<void> => {
    try {
      await copyText(link);
      notify.success('Link copied');
    } catch {
      notify.error(copyRefused);
    }
  };
  return (
    <Dialog
      title={`Link for ${person.name || person.email}`}
      description={`It works once${person.linkExpiresAt === null ? '' : `, until ${formatDateTime(person.linkExpiresAt)}`}, and is shown only now. Who has it can sign in as this person.`}
      onClose={onClose}
      initialFocus={copyButton}
      footer={
        <>
          <Button
            icon={<MessageCircle size={14} aria-hidden />}
            onClick={() =>
              window.open(
                `https://wa.me/?text=${encodeURIComponent(`${what} ${link}`)}`,
                '_blank',
                'noopener,noreferrer',
              )
            }
          >
            WhatsApp
          </Button>
          <Button ref={copyButton} variant="primary" icon={<Copy size={14} aria-hidden />} onClick={() => void copy()}>
            Copy
          </Button>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <TextField label="Link" reserve={false} value={link} readOnly onValueChange={() => undefined} />
    </Dialog>
  );
}
