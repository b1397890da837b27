import { tags } from '../api/resources.ts';
import { Select } from '../ui/select-field.tsx';
import { withoutTag } from './filter-values.ts';

/** Part 2 §9. */
const tagLimit = 100;
const staleTime = 60_000;

/** The names of the tags the filter knows: up to a hundred, and the one in the address beside them (ruling 14). */
export function useTagNames(tagId: string) {
  const list = tags.useList({ query: { page: 1, limit: tagLimit } }, { staleTime });
  const known = list.data?.data ?? [];
  const isOther = tagId !== '' && tagId !== withoutTag && !list.isPending && !known.some(({ id }) => id === tagId);
  const one = tags.useGet({ params: { id: tagId } }, { enabled: isOther, staleTime });
  const other = isOther ? [{ id: tagId, name: one.data?.data.name ?? (one.isError ? 'Unknown tag' : '…') }] : [];
  const options = [...known.map(({ id, name }) => ({ id, name })), ...other];
  const nameOf = (id: string): string =>
    id === withoutTag ? 'Without a tag' : (options.find((tag) => tag.id === id)?.name ?? '…');
  return {
    options,
    nameOf,
    total: list.data?.pagination.totalCount ?? 0,
    // Tags that are there already serve, also when they could not be asked for again.
    error: list.data ? null : list.error,
  };
}

interface TagFilterProps {
  label?: string;
  tagId: string;
  onChange: (tagId: string) => void;
}

export function TagFilter({ label = 'Tag', tagId, onChange }: TagFilterProps) {
  const { options, nameOf, total, error } = useTagNames(tagId);
  const isKnown = tagId === '' || tagId === withoutTag || options.some(({ id }) => id === tagId);
  return (
    <Select
      label={label}
      reserve={false}
      className="max-w-52 min-w-36 flex-1"
      value={tagId}
      onValueChange={onChange}
      error={error ? 'Failed to fetch tags' : undefined}
      hint={total > tagLimit ? `The first ${tagLimit} of ${total.toLocaleString('en-IN')} tags` : undefined}
      options={[
        { value: '', label: 'All tags' },
        { value: withoutTag, label: nameOf(withoutTag) },
        ...options.map(({ id, name }) => ({ value: id, label: name })),
        // Until the tags are there the choice of the address has its place already.
        ...(isKnown ? [] : [{ value: tagId, label: '…' }]),
      ]}
    />
  );
}
