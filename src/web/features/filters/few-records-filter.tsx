import type { ReactNode } from 'react';
import type { NamedRecords } from '../../../shared/filters/define.ts';
import { bankAccounts } from '../../resources/bank-accounts.ts';
import { people } from '../../resources/people.ts';
import { Select } from '../../kit/ui/select-field.tsx';

const maxAccounts = 100;
const staleTime = 60_000;

/** Records of which a business has so few that a filter lists them all. */
type FewRecords = Extract<NamedRecords, 'bankAccounts' | 'people'>;

interface Named {
  isPending: boolean;
  /** null while cached names are still usable although a refetch failed. */
  error: unknown;
  named: readonly { value: string; label: string }[];
}

const useNames: { readonly [R in FewRecords]: () => Named } = {
  bankAccounts: () => {
    const { data, isPending, error } = bankAccounts.useList({ query: { page: 1, limit: maxAccounts } }, { staleTime });
    const named = (data?.data ?? []).map(({ id, name, accountNo }) => ({
      value: id,
      label: `${name} …${accountNo.slice(-4)}`,
    }));
    return { isPending, error: data ? null : error, named };
  },
  people: () => {
    const { data, isPending, error } = people.useListNames({}, { staleTime });
    return {
      isPending,
      error: data ? null : error,
      named: (data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    };
  },
};

const words: { readonly [R in FewRecords]: { all: string; unknown: string; failed: string } } = {
  bankAccounts: { all: 'All accounts', unknown: 'Unknown account', failed: 'Failed to fetch bank accounts' },
  people: { all: 'Everybody', unknown: 'Unknown person', failed: 'Failed to fetch the people' },
};

/** The records by id. If the URL names another one, which was deleted, that is added. */
function useOptions(records: FewRecords, id: string) {
  const { named, isPending, error } = useNames[records]();
  const isOther = id !== '' && !named.some(({ value }) => value === id);
  const other = { value: id, label: isPending ? '…' : words[records].unknown };
  return { options: isOther ? [...named, other] : named, error };
}

interface FewRecordsFilterProps {
  records: FewRecords;
  label: string;
  id: string;
  onChange: (id: string) => void;
}

/** A plain select. A business whose only person is its own login has nobody to choose from. */
export function FewRecordsFilter({ records, label, id, onChange }: FewRecordsFilterProps) {
  const { options, error } = useOptions(records, id);
  if (records === 'people' && options.length < 2 && id === '' && !error) return null;
  return (
    <Select
      label={label}
      reserve={false}
      className="max-w-56 min-w-36 flex-1"
      error={error ? words[records].failed : undefined}
      value={id}
      options={[{ value: '', label: words[records].all }, ...options]}
      onValueChange={onChange}
    />
  );
}

interface NamedFewProps {
  records: FewRecords;
  id: string;
  children: (name?: string) => ReactNode;
}

export function NamedFew({ records, id, children }: NamedFewProps): ReactNode {
  return children(useOptions(records, id).options.find(({ value }) => value === id)?.label);
}
