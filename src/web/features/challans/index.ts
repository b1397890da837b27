/** What the other features use of this one (docs/architecture.md §1). */
export { ChallanDetailsDialog, StepButtons, copyDetails } from './details/challan-details-dialog.tsx';
export type { useChallanDetails } from './details/use-challan-details.ts';
export { useHold } from './hold/use-hold.tsx';
export { ChallanList, FiltersButton } from './list/challan-list.tsx';
export { type ListPlace, queryOf } from './list/list-place.ts';
export { paymentCell } from './list/payment-cell.tsx';
export { useUndoOfPayment } from './list/undo-of-payment.ts';
export { useChallanList } from './list/use-challan-list.ts';
export { challanStepCommands, changeSelectedCommand, groupCommand, groupsAddress } from './shared-challan-actions.ts';
