import { languages } from '../../shared/contract/languages.ts';
import { owner, ownerFields, ownerInput } from '../../shared/contract/owners.ts';
import { owners } from '../api/owners.ts';
import { OwnerTwinNotice } from './owner-twin-notice.tsx';
import { formFields } from './record-fields.tsx';
import { recordFormDialog } from './record-form-dialog.tsx';

/** docs/specification.md §6.1, §6.2 */
export const OwnerFormDialog = recordFormDialog({
  title: 'Owner',
  titles: { add: 'Add New Owner', edit: 'Edit Owner' },
  fields: formFields(ownerFields, {
    name: { required: true, maxLength: 200 },
    contactNumber: { required: true, inputMode: 'tel', hint: '10 digits' },
    address: { rows: 2, isWide: true },
    accountNo: { required: true, inputMode: 'numeric' },
    ifsc: { hint: '11 characters', isUpper: true },
    panNo: { required: true, maxLength: 10, hint: 'Such as ABCDE1234F', isUpper: true },
    branchName: { required: true },
    language: { options: languages, initial: 'English' },
  }),
  groups: [
    { title: 'Basic Information', names: ['name', 'contactNumber', 'address', 'language'] },
    { title: 'Banking Information', names: ['accountNo', 'ifsc', 'panNo', 'branchName'] },
  ],
  columns: 2,
  size: 'md',
  schema: ownerInput,
  shape: owner,
  resource: owners,
  Notice: OwnerTwinNotice,
  words: {
    created: 'Owner created successfully',
    updated: 'Owner updated successfully',
    notCreated: 'Failed to create owner',
    notUpdated: 'Failed to update owner',
  },
});
