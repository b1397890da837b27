import { useCallback, useMemo, useState } from 'react';
import { Copy, Eye } from 'lucide-react';
import { Link } from 'react-router-dom';
import { countText, formatCount } from '../../../shared/calc/count-text.ts';
import { canCopyOwners, reasonOf, canCopyOwner } from '../../../shared/access.ts';
import { ownerCardColumns } from '../../../shared/columns/record-columns.ts';
import type { OwnerCard } from '../../../shared/contract/owners.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import type { Action } from '../../kit/actions/registry.ts';
import { owners } from '../../resources/owners.ts';
import { slowSearchMs, type ListQuery } from '../../kit/records/record-place.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { screens } from '../../screens.ts';
import { OwnerCardDialog } from './owner-card-dialog.tsx';
import { CopyDialog } from './copy-dialog.tsx';
import type { GridSelection } from '../../kit/grid/grid-types.ts';
import { SelectionFooter } from '../../kit/grid/selection-footer.tsx';
import { notify } from '../../kit/feedback/toast.ts';

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
