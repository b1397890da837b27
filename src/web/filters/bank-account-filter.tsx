import type { ReactNode } from 'react';
import { bankAccounts } from '../api/bank-accounts.ts';
import { Select } from '../ui/select-field.tsx';

/** The paying accounts that a filter offers. */
const most = 100;
const staleTime = 60_000;

/** The paying accounts by id, and the one in the address beside them where it is none of these: it was deleted. */
function useAccountNames(accountId: string) {
  const { data, isPending, error } = bankAccounts.useList({ query: { page: 1, limit: most } }, { staleTime });
  const known = (data?.data ?? []).map(({ id, name, accountNo }) => ({
    value: id,
    label: `${name} …${accountNo.slice(-4)}`,
  }));
  const isOther = accountId !== '' && !known.some(({ value }) => value === accountId);
  const other = { value: accountId, label: isPending ? '…' : 'Unknown account' };
  // Accounts that are there already serve, also when they could not be asked for again.
  return { options: isOther ? [...known, other] : known, error: data ? null : error };
}

interface BankAccountFilterProps {
  label: string;
  id: string;
  onChange: (id: string) => void;
}

/** A select: a business pays from a few accounts. */
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
