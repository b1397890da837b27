import { useCallback, useMemo, useState, useRef } from 'react';
import { Copy, Eye } from 'lucide-react';
import { Link } from 'react-router-dom';
import { countText, formatCount } from '../../../shared/calc/count-text.ts';
import { canCopyOwners, reasonOf, canCopyOwner } from '../../../shared/access.ts';
import { ownerCardColumns } from '../../../shared/columns/record-columns.ts';
import type { OwnerCard } from '../../../shared/contract/owners.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { type Action, useActions } from '../../kit/actions/registry.ts';
import { owners } from '../../resources/owners.ts';
import { slowSearchMs, type ListQuery } from '../../kit/records/record-place.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { screens } from '../../screens.ts';
import { CopyDialog } from './copy-dialog.tsx';
import type { GridSelection } from '../../kit/grid/grid-types.ts';
import { SelectionFooter } from '../../kit/grid/selection-footer.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { Facts, orNotProvided } from '../../kit/records/facts.tsx';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';

const id = 'copy-owners';
const scope = 'Copy Owners';
const useCards = ({ page, limit, search }: ListQuery) => owners.useListAllSystem({ query: { page, limit, search } });
const switchedOffText = 'The admin has switched off copying owners, for all businesses or for yours.';
const isInYourList = (card: OwnerCard): boolean => card.inYourList !== null;

/** The server copies at most this many owners in one call (docs/specification.md §14.7). */
const maxOwners = 100;

/**
 * The selection of owners to copy. Paging and searching keep it, so it stores the owners themselves, from which the
 * totals are computed.
 */
function useCopySelection(rows: readonly OwnerCard[] | undefined) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, OwnerCard>>(new Map());

  const setRows = useCallback(
    (changed: readonly OwnerCard[], isOn: boolean) => {
      const next = new Map(chosen);
      let isFull = false;
      for (const row of changed) {
        if (!isOn) next.delete(row.id);
        else if (!canCopyOwner(row).allowed) continue;
        else if (next.size < maxOwners || next.has(row.id)) next.set(row.id, row);
        else isFull = true;
      }
      setChosen(next);
      if (isFull) notify.warning(`At most ${maxOwners} owners can be copied at once`);
    },
    [chosen],
  );
  const clear = useCallback(() => setChosen(new Map()), []);

  const selection = useMemo<GridSelection<OwnerCard>>(() => {
    const all = (rows ?? []).filter((row) => canCopyOwner(row).allowed);
    const selectedHere = all.filter(({ id }) => chosen.has(id)).length;
    return {
      stateOf: ({ id }) => (chosen.has(id) ? 'all' : 'none'),
      labelOf: ({ name }) => `Select ${name}`,
      disabledReason: (row) => reasonOf(canCopyOwner(row)),
      setRows,
      header: {
        state: selectedHere === 0 ? 'none' : selectedHere === all.length ? 'all' : 'some',
        label: 'Select all owners on this page',
        onToggle: (isOn) => setRows(all, isOn),
      },
      onSelectAll: () => setRows(all, true),
      onClear: () => {
        if (chosen.size === 0) return false;
        clear();
        return true;
      },
    };
  }, [rows, chosen, setRows, clear]);

  return { chosen: useMemo(() => [...chosen.values()], [chosen]), selection, clear };
}

/** /owners/copy (docs/specification.md §6.4): lists the owners of other businesses, to copy them with their trucks. */
export const CopyOwnersPage = recordScreen<OwnerCard>({
  screen: 'copyOwners',
  noun: ['owner', 'owners'],
  columns: ownerCardColumns,
  search: { hint: 'Owner name, truck number or business', debounceMs: slowSearchMs },
  useRows: (ask) => pageOf(useCards(ask)),
  failed: { list: 'Failed to fetch system owners' },
  empty: {
    title: 'No owners to copy',
    text: 'Owners of other businesses appear here. You can copy them to your own list.',
  },
  useMore: ({ ask, rows, openId, open, closeView, placeFocus }) => {
    const { chosen, selection, clear } = useCopySelection(rows);
    const [isAsking, setAsking] = useState(false);
    const trucks = chosen.reduce((count, { trucksCount }) => count + trucksCount, 0);
    const card = rows?.find((row) => row.id === openId);
    const meta = useCards(ask).data?.meta;
    const copying = meta?.isDirectoryOn ? meta.copying : null;
    const isOff = meta?.isDirectoryOn === false;
    const noSelectionReason = chosen.length === 0 ? 'Select the owners to copy first' : undefined;
    const copy: Action = {
      id: `${id}.copy`,
      label: `Copy Selected Owners (${chosen.length})`,
      keys: 'C',
      scope,
      calls: owners.calls.copy,
      disabledReason:
        (isOff ? switchedOffText : noSelectionReason) ??
        (copying ? reasonOf(canCopyOwners(chosen.length, copying)) : undefined),
      run: () => setAsking(true),
    };
    const show = useCallback((row: OwnerCard) => open(row.id), [open]);
    const rowCommands = useMemo(
      () => [
        {
          id: 'open',
          title: 'View owner',
          label: 'View',
          icon: <Eye size={15} aria-hidden />,
          keys: 'Enter',
          run: show,
        },
      ],
      [show],
    );
    const copiesLeft = copying && `${formatCount(copying.left)} of ${formatCount(copying.perDay)} copies left today`;
    return {
      rowCommands,
      onOpen: show,
      selection,
      isMuted: isInYourList,
      actions: [
        copy,
        { id: `${id}.clear`, label: 'Clear the selection', scope, disabledReason: noSelectionReason, run: clear },
      ],
      empty: isOff ? { title: 'The directory of owners is switched off', text: switchedOffText } : undefined,
      buttons: (
        <>
          <Link to={screens.copiedOwners.path}>Copied owners</Link>
          <ActionButton action={copy} variant="primary" icon={Copy} />
        </>
      ),
      footer: (
        <SelectionFooter
          count={chosen.length}
          details={` · ${countText(trucks, 'truck')}${copiesLeft ? ` · ${copiesLeft}` : ''}`}
          whenNone={copiesLeft}
          onClear={clear}
        />
      ),
      dialogs: (
        <>
          {openId !== '' && (
            <OwnerCardDialog
              card={card}
              isLoading={rows === undefined}
              isChosen={card !== undefined && selection.stateOf(card) === 'all'}
              onToggle={(row) => selection.setRows([row], selection.stateOf(row) !== 'all')}
              placeFocus={placeFocus}
              onClose={closeView}
            />
          )}
          {isAsking && (
            <CopyDialog
              chosen={chosen}
              onClose={() => setAsking(false)}
              onDone={(isAllCopied) => {
                clear();
                if (isAllCopied) setAsking(false);
              }}
            />
          )}
        </>
      ),
    };
  },
});

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
function OwnerCardDialog({ card, isLoading, isChosen, onToggle, placeFocus, onClose }: OwnerCardDialogProps) {
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
