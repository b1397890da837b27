import { useWatch } from 'react-hook-form';
import { ifscError, PAN_PATTERN, storedCode } from '../../../shared/calc/identity.ts';
import { languages } from '../../../shared/contract/languages.ts';
import { owner, ownerFields, ownerInput } from '../../../shared/contract/owners.ts';
import { owners } from '../../resources/owners.ts';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { useDebounced } from '../../kit/ui/picker-state.ts';
import { formFields } from '../../kit/forms/record-fields.tsx';
import { recordFormDialog } from '../../kit/forms/record-form-dialog.tsx';
import type { RecordForm } from '../../kit/forms/record-form.ts';

type OwnerForm = RecordForm<Record<keyof typeof ownerFields, string>>;

const debounceMs = 300;

/**
 * Warns if another owner in the list has the typed PAN, or the typed account number and IFSC: it may be the same person
 * (docs/specification.md §6.2). Saving is still allowed.
 */
function DuplicateOwnerNotice({ record: { form, id }, onSave }: { record: OwnerForm; onSave: () => void }) {
  const [panNo, accountNo, ifsc] = useWatch({ control: form.control, name: ['panNo', 'accountNo', 'ifsc'] });
  const { dirtyFields } = form.formState;
  const pan = storedCode(panNo);
  const account = accountNo.trim();
  const code = storedCode(ifsc);
  const isPanTyped = dirtyFields.panNo === true && PAN_PATTERN.test(pan);
  const isAccountTyped =
    (dirtyFields.accountNo === true || dirtyFields.ifsc === true) &&
    account.length >= 2 &&
    code !== '' &&
    ifscError(code) === null;
  const [byPan] = useDebounced(isPanTyped ? pan : '', debounceMs);
  const [byAccount] = useDebounced(isAccountTyped ? account : '', debounceMs);
  const ofPan = owners.useSearch({ query: { q: byPan, limit: 20 } }, { enabled: byPan !== '' }).data?.results ?? [];
  const ofAccount =
    owners.useSearch({ query: { q: byAccount, limit: 20 } }, { enabled: byAccount !== '' }).data?.results ?? [];
  const samePan = isPanTyped ? ofPan.find((other) => other.id !== id && other.panNo === pan) : undefined;
  const sameAccount = isAccountTyped
    ? ofAccount.find((other) => other.id !== id && other.accountNo === account && other.ifsc === code)
    : undefined;
  const duplicate = samePan ?? sameAccount;
  if (!duplicate) return null;
  const what = samePan ? 'PAN' : 'account number and IFSC';
  return (
    <Alert
      tone="warn"
      className="mb-3"
      title={`${duplicate.name} has the same ${what}`}
      actions={
        <>
          <a className="self-center" href={`/owners?open=${duplicate.id}`} target="_blank" rel="noreferrer">
            Open {duplicate.name}
          </a>
          <Button size="sm" onClick={onSave}>
            Save anyway
          </Button>
        </>
      }
    />
  );
}

/** The owner form (docs/specification.md §6.1, §6.2). */
export const OwnerFormDialog = recordFormDialog({
  title: 'Owner',
  titles: { add: 'Add New Owner', edit: 'Edit Owner' },
  fields: formFields(ownerFields, {
    name: { required: true, maxLength: 200 },
    contactNumber: { required: true, inputMode: 'tel', hint: '10 digits', reads: 'phone' },
    address: { rows: 2, isWide: true },
    accountNo: { required: true, inputMode: 'numeric', reads: 'account' },
    ifsc: { hint: '11 characters', isUpper: true, reads: 'ifsc' },
    panNo: { required: true, maxLength: 10, hint: 'Such as ABCDE1234F', isUpper: true, reads: 'pan' },
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
  Notice: DuplicateOwnerNotice,
  words: {
    created: 'Owner created successfully',
    updated: 'Owner updated successfully',
    notCreated: 'Failed to create owner',
    notUpdated: 'Failed to update owner',
  },
});
