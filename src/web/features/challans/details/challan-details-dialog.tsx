import { useRef, type ReactNode } from 'react';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { buttonOf, type Action } from '../../../kit/actions/registry.ts';
import { isWhole, type ListedChallan } from '../../../../shared/contract/challan.ts';
import { isApiError } from '../../../kit/api/api-error.ts';
import { challans } from '../../../resources/challans.ts';
import { call } from '../../../kit/api/client.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { Alert } from '../../../kit/ui/alert.tsx';
import { Button, IconButton } from '../../../kit/ui/button.tsx';
import { copyRefused, copyText } from '../../../kit/ui/copy-text.ts';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { detailsText, type DetailOptions } from './challan-details.ts';
import { ChallanDetailsContent } from './challan-details-content.tsx';
import type { useChallanDetails } from './use-challan-details.ts';
import { HistoryTabs } from '../../../kit/history/history-tabs.tsx';
import { QueryFailure } from '../../../kit/feedback/failure-alert.tsx';

interface ChallanDetailsDialogProps extends DetailOptions {
  id: string;
  /** The row as the list has it: its number and buttons are shown at once, and its fields if it has all of them. */
  details: Pick<ReturnType<typeof useChallanDetails>, 'row' | 'position' | 'close'>;
  titleOf: (challanNumber: string) => string;
  placeFocus: () => boolean;
  renderFooter: (challan: ListedChallan) => ReactNode;
}

/** All fields of one challan, in a dialog over the list. The user can step through the list without closing it. */
export function ChallanDetailsDialog(props: ChallanDetailsDialogProps) {
  const { id, titleOf, placeFocus, renderFooter, onlyGiven = false } = props;
  const { row, position, close } = props.details;
  const query = challans.useGet({ params: { id } });
  const fields = useRef<HTMLDivElement>(null);
  const challan = query.data?.data ?? row;
  // What the list has of it is shown only if no more is to come.
  const shown = challan && (isWhole(challan) || query.error) ? challan : undefined;
  const isGone = isApiError(query.error, 'NOT_FOUND');
  return (
    <Dialog
      size="xl"
      closeOnOutside
      title={challan && !isGone ? titleOf(challan.challanNumber) : 'Challan'}
      // The line is reserved from the start, so that nothing moves when the list below has loaded.
      description={position ?? (challan && !isGone ? 'Not on the current page of the list' : '\u00a0')}
      onClose={close}
      initialFocus={fields}
      placeFocus={placeFocus}
      footer={challan && !isGone ? renderFooter(challan) : <Button onClick={close}>Close</Button>}
    >
      {isGone && (
        <Alert className="mb-4" title="Challan not found">
          It may have been deleted.
        </Alert>
      )}
      {!isGone && (
        <QueryFailure className="mb-4" query={query} fallback="Failed to fetch challans">
          {shown && 'The details shown come from the list and may be out of date.'}
        </QueryFailure>
      )}
      {!isGone && (shown || !query.error) && (
        <HistoryTabs of={{ noun: 'challan', id }}>
          <ChallanDetailsContent challan={shown} onlyGiven={onlyGiven} ref={fields} />
        </HistoryTabs>
      )}
    </Dialog>
  );
}

const iconOf = (action: Action) => ({ ...buttonOf(action), label: action.label });

/** Buttons that go to the previous and the next challan of the list below. */
export function StepButtons({ previous, next }: { previous: Action; next: Action }) {
  return (
    <span className="flex gap-1">
      <IconButton {...iconOf(previous)} icon={<ChevronUp size={16} aria-hidden />} />
      <IconButton {...iconOf(next)} icon={<ChevronDown size={16} aria-hidden />} />
    </span>
  );
}

export async function copyDetails(challan: ListedChallan, options?: DetailOptions): Promise<void> {
  try {
    const { id } = challan;
    const whole = isWhole(challan) ? challan : (await call(challans.calls.get, { params: { id } })).data;
    await copyText(detailsText(whole, options));
    notify.success(`Challan ${challan.challanNumber} copied as text`);
  } catch (error) {
    notify.error(error, copyRefused);
  }
}
