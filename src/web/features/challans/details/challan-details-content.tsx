import type { Ref } from 'react';
import { clsx } from 'clsx';
import { formatINR, isNegative } from '../../../../shared/calc/money.ts';
import type { BreakdownLine } from '../../../../shared/calc/challan-breakdown.ts';
import { isWhole, type Challan, type ListedChallan } from '../../../../shared/contract/challan.ts';
import { Spinner } from '../../../kit/ui/spinner.tsx';
import { detailSections, signedAmount, sumLines, type DetailOptions, type DetailSection } from './challan-details.ts';
import { Scrolled } from '../../../kit/ui/page.tsx';

const tones = { good: 'text-good', bad: 'text-danger' };

interface DetailsContentProps extends DetailOptions {
  /** undefined while it loads. It may be as a list has it, without some fields. */
  challan: ListedChallan | undefined;
  ref: Ref<HTMLDivElement>;
}

/** All fields of a challan. The box is there before them, as high as they usually are, and can have the focus. */
export function ChallanDetailsContent({ challan, onlyGiven, ref }: DetailsContentProps) {
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
