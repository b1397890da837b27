import { statementFilters } from '../../../shared/filters/challan-filters.ts';
import { textsOfFilter } from '../../../shared/filters/filter-texts.ts';
import { partsOf } from '../../../shared/filters/filter-words.ts';
import type { PaymentBatch } from '../../../shared/contract/payment-batches.ts';
import { FilterWords } from '../../filters/filter-chips.tsx';

/** How the challans of a payment were chosen, in words; a filter with the names it had. */
export function ChosenBy({ batch }: { batch: PaymentBatch }) {
  if (batch.kind === 'single') return <>One challan</>;
  if (batch.kind === 'selected') return <>Challans selected one by one or by page</>;
  const filters = textsOfFilter(statementFilters, batch.appliedFilters ?? {});
  if (partsOf(statementFilters, filters).length === 0) return <>All unpaid challans, without a filter</>;
  return (
    <>
      All unpaid challans · <FilterWords table={statementFilters} filters={filters} />
    </>
  );
}
