import {
  isSelected,
  ownerState,
  setSelected,
  type SelectableChallan,
  type SelectableOwner,
  type Selection,
} from '../../src/shared/calc/selection.ts';

/** What a click on a box of the grid comes to: it asks for the opposite of what it shows, and a mixed box for all. */
export function clickChallan<Filter>(
  selection: Selection<Filter>,
  ownerId: string,
  challan: SelectableChallan,
): Selection<Filter> {
  return setSelected(selection, ownerId, [challan], !isSelected(selection, challan.challanId));
}

export function clickOwner<Filter>(selection: Selection<Filter>, owner: SelectableOwner): Selection<Filter> {
  return setSelected(selection, owner.id, owner.challans, ownerState(selection, owner).state !== 'all');
}
