import { owner, ownerInput } from '../../shared/contract/owners.ts';
import { owners } from '../api/resources.ts';
import { recordFormDialog } from './record-form-dialog.tsx';

/** docs/specification.md §6.1, §6.2 */
export const OwnerFormDialog = recordFormDialog({
  title: 'Owner',
  titles: { add: 'Add New Owner', edit: 'Edit Owner' },
  fields: {
    name: { label: 'Owner Name', required: true, maxLength: 200 },
    contactNumber: { label: 'Contact Number', required: true, inputMode: 'tel', hint: '10 digits' },
    address: { label: 'Address', rows: 2, isWide: true },
    accountNo: { label: 'Account Number', required: true, inputMode: 'numeric' },
    ifsc: { label: 'IFSC Code', hint: '11 characters', isUpper: true },
    panNo: { label: 'PAN Number', required: true, maxLength: 10, hint: 'Such as ABCDE1234F', isUpper: true },
    branchName: { label: 'Branch Name', required: true },
  },
  groups: [
    { title: 'Basic Information', names: ['name', 'contactNumber', 'address'] },
    { title: 'Banking Information', names: ['accountNo', 'ifsc', 'panNo', 'branchName'] },
  ],
  columns: 2,
  size: 'md',
  schema: ownerInput,
  shape: owner,
  resource: owners,
  words: {
    created: 'Owner created successfully',
    updated: 'Owner updated successfully',
    notCreated: 'Failed to create owner',
    notUpdated: 'Failed to update owner',
  },
});
