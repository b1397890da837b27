import { useEffect } from 'react';
import { FileSpreadsheet } from 'lucide-react';
import { hsdUploadColumns } from '../../../shared/columns/hsd-verification-columns.ts';
import type { HsdUpload } from '../../../shared/contract/hsd-verification.ts';
import { hsdVerification } from '../../api/resources.ts';
import { limitValue } from '../../filters/filter-values.ts';
import { usePageSize } from '../../filters/page-size.ts';
import { DataGrid } from '../../grid/data-grid.tsx';
import { gridStatusOf } from '../../feedback/grid-status.ts';
import { url, useUrlState } from '../../filters/url-state.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

const shape = {
  page: url.number(1),
  limit: limitValue(),
};
const keyOf = (row: HsdUpload): string => row.id;

/** The evidence of earlier uploads: which file, when, by whom, and what it said. */
export function PastUploads() {
  const [state, setUrl] = useUrlState(shape);
  const { page } = state;
  const { limit, choose: chooseSize } = usePageSize('hsd-uploads', state.limit);
  const query = hsdVerification.useListUploads({ query: { page, limit } });
  const { data, isPlaceholderData } = query;
  const lastPage = Math.max(1, data?.pagination.totalPages ?? 1);
  const isPastEnd = data !== undefined && !isPlaceholderData && page > lastPage;
  useEffect(() => {
    if (isPastEnd) setUrl({ page: lastPage }, { replace: true });
  }, [isPastEnd, lastPage, setUrl]);

  return (
    <div className="flex min-h-64 flex-1 flex-col gap-2">
      <h2 className="font-semibold">Past Verifications</h2>
      <DataGrid<HsdUpload>
        label="Past Verifications"
        memoryKey="hsd-uploads"
        columns={hsdUploadColumns}
        rows={isPastEnd ? undefined : data?.data}
        keyOf={keyOf}
        status={gridStatusOf(query, 'Failed to fetch past verifications')}
        empty={
          <EmptyState icon={<FileSpreadsheet size={18} aria-hidden />} title="No file has been verified yet">
            Each file that is uploaded leaves a line here: its name, when and by whom, and what was found.
          </EmptyState>
        }
        pager={{
          page,
          limit,
          totalCount: data?.pagination.totalCount ?? 0,
          noun: 'files',
          withShift: true,
          onPage: (next) => setUrl({ page: next, limit }),
          onLimit: (next) => setUrl({ page: 1, limit: chooseSize(next) }),
        }}
      />
    </div>
  );
}
