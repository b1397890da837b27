import { useWatch } from 'react-hook-form';
import { ifscError, PAN_PATTERN, storedCode } from '../../shared/calc/identity.ts';
import type { ownerFields } from '../../shared/contract/owners.ts';
import { owners } from '../api/owners.ts';
import { Alert } from '../ui/alert.tsx';
import { Button } from '../ui/button.tsx';
import { useDebounced } from '../ui/picker-state.ts';
import type { RecordForm } from './record-form.ts';

type OwnerForm = RecordForm<Record<keyof typeof ownerFields, string>>;

const settleMs = 300;

/**
 * Another owner of the list has the PAN, or the account number with the IFSC, that is being typed: it may be the same
 * person (docs/specification.md §6.2). Nothing is refused.
 */
export function OwnerTwinNotice({ record: { form, id }, onSave }: { record: OwnerForm; onSave: () => void }) {
  const [panNo, accountNo, ifsc] = useWatch({ control: form.control, name: ['panNo', 'accountNo', 'ifsc'] });
  const { dirtyFields } = form.formState;
  const pan = storedCode(panNo);
  const account = accountNo.trim();
  const code = storedCode(ifsc);
  const isPan = dirtyFields.panNo === true && PAN_PATTERN.test(pan);
  const isAccount =
    (dirtyFields.accountNo === true || dirtyFields.ifsc === true) &&
    account.length >= 2 &&
    code !== '' &&
    ifscError(code) === null;
  const [byPan] = useDebounced(isPan ? pan : '', settleMs);
  const [byAccount] = useDebounced(isAccount ? account : '', settleMs);
  const ofPan = owners.useSearch({ query: { q: byPan, limit: 20 } }, { enabled: byPan !== '' }).data?.results ?? [];
  const ofAccount =
    owners.useSearch({ query: { q: byAccount, limit: 20 } }, { enabled: byAccount !== '' }).data?.results ?? [];
  const samePan = isPan ? ofPan.find((other) => other.id !== id && other.panNo === pan) : undefined;
  const sameAccount = isAccount
    ? ofAccount.find((other) => other.id !== id && other.accountNo === account && other.ifsc === code)
    : undefined;
  const twin = samePan ?? sameAccount;
  if (!twin) return null;
  const what = samePan ? 'PAN' : 'account number and IFSC';
  return (
    <Alert
      tone="warn"
      className="mb-3"
      title={`${twin.name} has the same ${what}`}
      actions={
        <>
          <a className="self-center" href={`/owners?open=${twin.id}`} target="_blank" rel="noreferrer">
            Look at {twin.name}
          </a>
          <Button size="sm" onClick={onSave}>
            Save anyway
          </Button>
        </>
      }
    />
  );
}
