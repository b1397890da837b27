import { petrolPump, petrolPumpFields, petrolPumpInput } from '../../../shared/contract/petrol-pumps.ts';
import { petrolPumps } from '../../resources/petrol-pumps.ts';
import { formFields } from '../../kit/forms/record-fields.tsx';
import { recordFormDialog } from '../../kit/forms/record-form-dialog.tsx';

/** docs/specification.md §7.3 */
export const PetrolPumpFormDialog = recordFormDialog({
  title: 'Petrol Pump',
  titles: { add: 'Add New Petrol Pump', edit: 'Edit Petrol Pump' },
  fields: formFields(petrolPumpFields, {
    name: { required: true },
    contactNumber: { required: true, inputMode: 'tel', hint: '10 digits', reads: 'phone' },
    address: { required: true, rows: 2 },
  }),
  schema: petrolPumpInput,
  shape: petrolPump,
  resource: petrolPumps,
  words: {
    created: 'Petrol pump created successfully!',
    updated: 'Petrol pump updated successfully!',
    notCreated: 'Failed to save petrol pump',
    notUpdated: 'Failed to save petrol pump',
  },
});
