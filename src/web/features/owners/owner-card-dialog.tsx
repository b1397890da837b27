import { useRef } from 'react';
import { canCopyOwner, reasonOf } from '../../../shared/access.ts';
import type { OwnerCard } from '../../../shared/contract/owners.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { useActions, type Action } from '../../kit/actions/registry.ts';
import { Facts, orNotProvided } from '../../kit/records/facts.tsx';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';

interface OwnerCardDialogProps {
  /** undefined if the owner is not on the page of the list that is shown. */
  card: OwnerCard | undefined;
  isLoading: boolean;
  isChosen: boolean;
  onToggle: (card: OwnerCard) => void;
  placeFocus: () => boolean;
  onClose: () => void;
}

/** Shows an owner of another business, with masked account number, PAN and phone (docs/specification.md §6.5). */
export function OwnerCardDialog({ card, isLoading, isChosen, onToggle, placeFocus, onClose }: OwnerCardDialogProps) {
  const factsRef = useRef<HTMLDivElement>(null);
  return (
    <Dialog
      size="lg"
      closeOnOutside
      title={card?.name ?? 'Owner'}
      description={card && `Belongs to ${card.currentSubAdmin.bannerName}`}
      onClose={onClose}
      initialFocus={factsRef}
      placeFocus={placeFocus}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {card && <ChooseButton card={card} isChosen={isChosen} onToggle={() => onToggle(card)} />}
        </>
      }
    >
      {!card && !isLoading && <Alert tone="info" title="This owner is not on this page of the list" />}
      {card && (
        <>
          <Facts
            ref={factsRef}
            label="Owner"
            columns={2}
            groups={[
              {
                title: 'Basic Information',
                facts: [
                  { label: 'Owner Name', value: card.name },
                  { label: 'Contact Number', value: card.contactNumber },
                  { label: 'Address', value: orNotProvided(card.address) },
                  { label: 'Subadmin', value: card.currentSubAdmin.bannerName },
                ],
              },
              {
                title: 'Banking Information',
                facts: [
                  { label: 'Account Number', value: card.accountNo },
                  { label: 'IFSC Code', value: orNotProvided(card.ifsc) },
                  { label: 'PAN Number', value: card.panNo },
                  { label: 'Branch Name', value: card.branchName },
                ],
              },
            ]}
          />
          <section aria-label="Trucks" className="mt-5">
            <h3 className="mb-1.5 border-b border-line pb-1 text-xs font-semibold text-muted">
              Trucks ({card.trucksCount})
            </h3>
            {card.trucksCount === 0 && <p className="text-muted">No trucks</p>}
            <ul className="nums grid grid-cols-2 gap-x-6 gap-y-1 md:grid-cols-3">
              {card.trucks.map(({ id, truckNumber, noOfWheels, typeOfVehicle }) => (
                <li key={id}>
                  {truckNumber}{' '}
                  <span className="text-xs text-muted">
                    {[`${noOfWheels} wheels`, typeOfVehicle].filter(Boolean).join(', ')}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        </>
      )}
    </Dialog>
  );
}

interface ChooseButtonProps {
  card: OwnerCard;
  isChosen: boolean;
  onToggle: () => void;
}

/**
 * Rendered inside the dialog, so that its key belongs to the dialog: S selects the owner, as Space does in the table.
 */
function ChooseButton({ card, isChosen, onToggle }: ChooseButtonProps) {
  const choose: Action = {
    id: 'copy-owners.choose',
    label: isChosen ? 'Remove from selection' : 'Select for copying',
    keys: 'S',
    scope: 'Details',
    disabledReason: reasonOf(canCopyOwner(card)),
    run: onToggle,
  };
  useActions([choose]);
  return <ActionButton action={choose} variant={isChosen ? 'secondary' : 'primary'} />;
}
