import { useEffect, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Action } from '../../kit/actions/registry.ts';
import { errorText, requestIdOf } from '../../kit/api/api-error.ts';
import { palette } from '../../resources/palette.ts';
import { useDebounced } from '../../kit/ui/picker-state.ts';

/** Fewer letters than this start no search of records (docs/specification.md §8.1, TP filter). */
const minLength = 3;
const debounceMs = 150;
/** Answers are not refetched while the palette is open, so that the list does not move under the highlight. */
const staleTime = 60_000;

const noWords = (): string => '';

type Entries = typeof import('./palette-records.ts');

interface Found {
  records: readonly Action[];
  isSearching: boolean;
  /** Why the search failed, with a retry. */
  failure: { text: string; requestId: string | undefined; retry: () => void } | undefined;
  /** The further words of an action, for which others may look. */
  wordsOf: (actionId: string) => string;
}

/**
 * Searches records: challans by TP number, challan number, vehicle and amount; payments by number and UTR; trucks by plate;
 * owners by name, phone, and the digits of PAN and account; tags and petrol pumps by name. Enter opens the record, Shift+Enter
 * its list. What makes entries of the answer is loaded with the palette, which opens without it.
 */
export function usePaletteSearch(typed: string, isOn: boolean): Found {
  const navigate = useNavigate();
  const [entries, setEntries] = useState<Entries>();
  const [loadError, setLoadError] = useState<unknown>();
  const load = (): void => {
    import('./palette-records.ts').then((loaded) => {
      setEntries(loaded);
      setLoadError(undefined);
    }, setLoadError);
  };
  useEffect(load, []);
  const term = typed.trim();
  const wanted = isOn && term.length >= minLength ? term : '';
  const [settled] = useDebounced(wanted, debounceMs);
  // While the user is typing this is '', which cancels the running request.
  const asked = settled === wanted ? wanted : '';
  const query = palette.useSearch(
    { query: { search: asked } },
    // `gcTime: 0` searches again when the palette is reopened, because records may have changed meanwhile.
    { enabled: asked !== '', staleTime, gcTime: 0, placeholderData: () => undefined },
  );
  const none = { records: [], isSearching: false, failure: undefined, wordsOf: entries?.screenWords ?? noWords };
  if (wanted === '') return none;
  if (asked === '' || query.isPending) return { ...none, isSearching: true };
  if (!query.data || loadError !== undefined) {
    return {
      ...none,
      failure: {
        text: errorText(query.error, 'Failed to search'),
        requestId: requestIdOf(query.error),
        retry: query.data ? load : () => void query.refetch(),
      },
    };
  }
  if (!entries) return { ...none, isSearching: true };
  return { ...none, records: entries.recordsOf(query.data.data, asked, (path) => void navigate(path)) };
}
