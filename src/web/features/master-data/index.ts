/** What the other features use of this one (docs/architecture.md §1). */
export { CellLayer } from './cell-layer.tsx';
export { RecordBulkDialog, loadOwnerCells } from './lazy-parts.ts';
export { MapDialog, unknownNouns, useFocusWhenFound } from './map-dialog.tsx';
export { OwnerFormDialog } from './owner-form-dialog.tsx';
export { PetrolPumpFormDialog } from './petrol-pump-form-dialog.tsx';
export {
  type OwnerChoice,
  OwnerPicker,
  type PetrolPumpChoice,
  PetrolPumpPicker,
  type TagChoice,
  TagPicker,
} from './pickers.tsx';
export { TagFormDialog } from './tag-form-dialog.tsx';
export { TruckFormDialog } from './truck-form-dialog.tsx';
