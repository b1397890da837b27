import { readPreference, writePreference } from '../session/account-storage.ts';
import { defaultPageSize, pageSizeOf, type PageSize } from './filter-values.ts';

/**
 * The page size of a list: that of its address, else the one last chosen on this screen. Remembering it draws nothing, since
 * the address, which carries it from then on, follows a moment later: drawn for both, the list would be asked twice.
 */
export function usePageSize(memoryKey: string, inAddress: 0 | PageSize) {
  const key = `${memoryKey}.page-size`;
  return {
    limit: pageSizeOf(inAddress || readPreference(key, defaultPageSize)),
    /** Remembers the size that was chosen; gives it for the address. */
    choose: (size: number): PageSize => {
      writePreference(key, size);
      return pageSizeOf(size);
    },
  };
}
