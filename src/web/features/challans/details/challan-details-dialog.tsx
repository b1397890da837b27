import { useRef, type ReactNode, type Ref } from 'react';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { buttonOf, type Action } from '../../../kit/actions/registry.ts';
import { isWhole, type ListedChallan, type Challan } from '../../../../shared/contract/challan.ts';
import { isApiError } from '../../../kit/api/api-error.ts';
import { challans } from '../../../resources/challans.ts';
import { call } from '../../../kit/api/client.ts';
import { notify } from '../../../kit/feedback/toast.ts';
import { Alert } from '../../../kit/ui/alert.tsx';
import { Button, IconButton } from '../../../kit/ui/button.tsx';
import { copyRefused, copyText } from '../../../kit/ui/copy-text.ts';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import {
  detailsText,
  type DetailOptions,
  detailSections,
  signedAmount,
  sumLines,
  type DetailSection,
} from './challan-details.ts';
import type { useChallanDetails } from './use-challan-details.ts';
import { HistoryList } from '../../../kit/history/history-list.tsx';
import { HistoryTabs } from '../../../kit/history/history-tabs.tsx';
import { QueryFailure } from '../../../kit/feedback/failure-alert.tsx';
import { clsx } from 'clsx';
import { formatINR, isNegative } from '../../../../shared/calc/money.ts';
import type { BreakdownLine } from '../../../../shared/calc/challan-breakdown.ts';
import { Spinner } from '../../../kit/ui/spinner.tsx';
import { Scrolled } from '../../../kit/ui/page.tsx';

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
      {isGone && <HistoryList of={{ noun: 'challan', id }} lead={whyGone} />}
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

/** A deleted challan keeps its history; an id that was never one has none. */
const whyGone = (isEmpty: boolean): ReactNode => (
  <Alert className="mb-4" title={isEmpty ? 'Challan not found' : 'This challan was deleted'}>
    {isEmpty ? 'It may have been deleted.' : 'Its history says when and by whom.'}
  </Alert>
);

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

const tones = { good: 'text-good', bad: 'text-danger' };

interface DetailsContentProps extends DetailOptions {
  /** undefined while it loads. It may be as a list has it, without some fields. */
  challan: ListedChallan | undefined;
  ref: Ref<HTMLDivElement>;
}

/** All fields of a challan. The box is there before them, as high as they usually are, and can have the focus. */
function ChallanDetailsContent({ challan, onlyGiven, ref }: DetailsContentProps) {
  return (
    <Scrolled
      ref={ref}
      aria-label="Challan fields"
      className={clsx(
        'grid min-h-[min(38.75rem,calc(88vh-14.25rem))] gap-x-8 gap-y-5 outline-none lg:grid-cols-2 print:min-h-0 print:grid-cols-2',
        challan ? 'content-start' : 'place-content-center',
      )}
    >
      {challan ? <Fields challan={challan} onlyGiven={onlyGiven ?? false} /> : <Spinner label="Loading challan" />}
    </Scrolled>
  );
}

/**
 * The fields in two columns. The left column has the entered values. The sum and the status are at the top of the right column,
 * so that they are visible without scrolling.
 */
function Fields({ challan, ...options }: DetailOptions & { challan: ListedChallan }) {
  const [basic, weights, rates, additional, status] = detailSections(challan, options);
  return (
    <>
      <div className="grid content-start gap-5">
        {basic && <Section {...basic} />}
        {weights && <Section {...weights} />}
        {rates && <Section {...rates} />}
      </div>
      <div className="grid content-start gap-5">
        {isWhole(challan) && <Amounts challan={challan} />}
        {status && <Section {...status} />}
        {additional && <Section {...additional} />}
      </div>
    </>
  );
}

function Section({ title, lines }: DetailSection) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1.5 border-b border-line pb-1 text-xs font-semibold text-muted">{title}</h3>
      <dl className="grid grid-cols-[10rem_minmax(0,1fr)] gap-x-3 gap-y-1">
        {lines.map(({ label, value, note, tone }) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className={clsx('nums break-words whitespace-pre-wrap', tone && tones[tone])}>
              {value}
              {note && <span className="ml-2 text-xs text-muted">{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** The stored sum, line by line. The shortage is shown but is not part of the sum (docs/specification.md §8.4.1). */
function Amounts({ challan }: { challan: Challan }) {
  const { lines, aside } = sumLines(challan);
  return (
    <section aria-label="Amounts">
      <h3 className="mb-1.5 border-b border-line pb-1 text-xs font-semibold text-muted">Amounts</h3>
      <table className="w-full">
        <tbody>
          {lines.map((item) => (
            <SumRow key={item.key} item={item} />
          ))}
          <tr className="border-t border-line font-semibold">
            <th scope="row" className="py-1.5 text-left">
              Net Amount Payable
            </th>
            <td
              className={clsx(
                'nums py-1.5 text-right whitespace-nowrap',
                isNegative(challan.netAmountPayable) && 'text-danger',
              )}
            >
              {formatINR(challan.netAmountPayable)}
            </td>
          </tr>
          {aside.map((item) => (
            <SumRow key={item.key} item={item} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function SumRow({ item }: { item: BreakdownLine }) {
  return (
    <tr className={clsx('align-top', item.sign === ' ' && 'text-muted')}>
      <th scope="row" className="py-0.5 pr-3 text-left font-normal">
        {item.label}
        {item.how && <span className="block text-xs text-muted">{item.how}</span>}
      </th>
      <td className="nums py-0.5 text-right whitespace-nowrap">{signedAmount(item)}</td>
    </tr>
  );
}
