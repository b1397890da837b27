import type { ReactNode } from 'react';
import { bankAccounts } from '../../resources/bank-accounts.ts';
import { Select } from '../../kit/ui/select-field.tsx';

const maxAccounts = 100;
const staleTime = 60_000;

/** The paying accounts by id. If the URL names another one, which was deleted, that is added. */
function useAccountNames(accountId: string) {
  const { data, isPending, error } = bankAccounts.useList({ query: { page: 1, limit: maxAccounts } }, { staleTime });
  const known = (data?.data ?? []).map(({ id, name, accountNo }) => ({
    value: id,
    label: `${name} …${accountNo.slice(-4)}`,
  }));
  const isOther = accountId !== '' && !known.some(({ value }) => value === accountId);
  const other = { value: accountId, label: isPending ? '…' : 'Unknown account' };
  // Cached accounts are still usable when a refetch fails.
  return { options: isOther ? [...known, other] : known, error: data ? null : error };
}

interface BankAccountFilterProps {
  label: string;
  id: string;
  onChange: (id: string) => void;
}

/** A plain select, because a business pays from few accounts. */
export function BankAccountFilter({ label, id, onChange }: BankAccountFilterProps) {
  const { options, error } = useAccountNames(id);
  return (
    <Select
      label={label}
      reserve={false}
      className="max-w-56 min-w-36 flex-1"
      error={error ? 'Failed to fetch bank accounts' : undefined}
      value={id}
      options={[{ value: '', label: 'All accounts' }, ...options]}
      onValueChange={onChange}
    />
  );
}

export function NamedBankAccount({ id, children }: { id: string; children: (name?: string) => ReactNode }): ReactNode {
  return children(useAccountNames(id).options.find(({ value }) => value === id)?.label);
}
