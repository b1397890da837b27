import { formatDate, isDay } from '../../../shared/calc/dates.ts';
import type { PaymentBatch } from '../../../shared/contract/payment-batches.ts';
import { useTagNames } from '../../filters/tag-filter.tsx';
import { useOwnerChoice } from '../../filters/use-owner-choice.ts';

/** How the challans of a payment were chosen, in words; a filter with the names it had. */
export function ChosenBy({ batch }: { batch: PaymentBatch }) {
  if (batch.kind === 'single') return <>One challan</>;
  if (batch.kind === 'selected') return <>Challans selected one by one or by page</>;
  const { ownerId, ownerName, tagId, depositedStartDate, depositedEndDate } = batch.appliedFilters ?? {};
  const isEverything = !ownerId && !ownerName && !tagId && !depositedStartDate && !depositedEndDate;
  return (
    <>
      All unpaid challans
      {isEverything && ', without a filter'}
      {ownerId && <OwnerPart ownerId={ownerId} />}
      {ownerName && ` · owner name “${ownerName}”`}
      {tagId && <TagPart tagId={tagId} />}
      {depositedStartDate && ` · deposited from ${dayText(depositedStartDate)}`}
      {depositedEndDate && ` · deposited to ${dayText(depositedEndDate)}`}
    </>
  );
}

const dayText = (day: string): string => (isDay(day) ? formatDate(day) : day);

function OwnerPart({ ownerId }: { ownerId: string }) {
  return <> · owner {useOwnerChoice(ownerId).owner?.name}</>;
}

function TagPart({ tagId }: { tagId: string }) {
  return <> · tag {useTagNames(tagId).nameOf(tagId)}</>;
}
