import { tags } from '../../resources/tags.ts';
import { TagPicker, type TagChoice } from '../master-data/index.ts';
import { Select } from '../../kit/ui/select-field.tsx';
import { none } from '../../../shared/filters/define.ts';

/** The number of tags that a filter loads (docs/specification.md §3.2). */
const tagLimit = 100;
const staleTime = 60_000;
/** With more tags than this the filter is a picker with a search instead of a select. */
const maxInSelect = 20;
const noTag: TagChoice = { id: none, name: 'Without a tag', color: 'transparent' };

/**
 * The tags of the filter: up to a hundred, and the tag in the URL if it is not among them (docs/specification.md §3.2).
 */
export function useTagNames(tagId: string) {
  const list = tags.useList({ query: { page: 1, limit: tagLimit } }, { staleTime });
  const known: readonly TagChoice[] = list.data?.data ?? [];
  const isOther = tagId !== '' && tagId !== none && !list.isPending && !known.some(({ id }) => id === tagId);
  const one = tags.useGet({ params: { id: tagId } }, { enabled: isOther, staleTime });
  const other: TagChoice = one.data?.data ?? { ...noTag, id: tagId, name: one.isError ? 'Unknown tag' : '…' };
  const options = isOther ? [...known, other] : known;
  const nameOf = (id: string): string =>
    id === none ? noTag.name : (options.find((tag) => tag.id === id)?.name ?? '…');
  return {
    options,
    nameOf,
    total: list.data?.pagination.totalCount ?? 0,
    // Cached tags are still usable when a refetch fails.
    error: list.data ? null : list.error,
  };
}

interface TagFilterProps {
  label?: string;
  tagId: string;
  onChange: (tagId: string) => void;
}

export function TagFilter({ label = 'Tag', tagId, onChange }: TagFilterProps) {
  const { options, total, error } = useTagNames(tagId);
  const frame = {
    label,
    reserve: false,
    className: 'max-w-52 min-w-32 flex-1',
    error: error ? 'Failed to fetch tags' : undefined,
  };
  if (total > maxInSelect) {
    return (
      <TagPicker
        {...frame}
        placeholder="All tags"
        extra={noTag}
        value={tagId === '' ? null : (options.find(({ id }) => id === tagId) ?? noTag)}
        onPick={(tag) => onChange(tag?.id ?? '')}
      />
    );
  }
  const isKnown = tagId === '' || tagId === none || options.some(({ id }) => id === tagId);
  return (
    <Select
      {...frame}
      value={tagId}
      onValueChange={onChange}
      options={[
        { value: '', label: 'All tags' },
        { value: none, label: noTag.name },
        ...options.map(({ id, name }) => ({ value: id, label: name })),
        // While the tags load, the tag in the URL already has an option.
        ...(isKnown ? [] : [{ value: tagId, label: '…' }]),
      ]}
    />
  );
}
