import { amountsAfterEdit } from '../../../../shared/calc/challan-amounts.ts';
import type { BreakdownLine } from '../../../../shared/calc/challan-breakdown.ts';
import { formatDate, formatDateTime, formatTime } from '../../../../shared/calc/dates.ts';
import { declarationText } from '../../../../shared/calc/declaration.ts';
import { compare, formatINR, formatPercentage, formatWeight, isPositive } from '../../../../shared/calc/money.ts';
import type { Challan, ListedChallan } from '../../../../shared/contract/challan.ts';
import {
  challanDetails,
  challanFields,
  detailOrder,
  type ChallanFieldName,
  type DetailSectionName,
} from '../../../../shared/contract/challan-fields.ts';
import type { FieldKind } from '../../../../shared/contract/fields.ts';

/** A field of a challan as text, for the details dialogs and for Ctrl+C. */
interface DetailLine {
  label: string;
  value: string;
  /** A muted text after the value, such as a date or a contact number. */
  note?: string;
  tone?: 'good' | 'bad';
}
export interface DetailSection {
  title: string;
  lines: readonly DetailLine[];
}

export interface DetailOptions {
  /** Remarks and the deposited date appear only when the challan has them (docs/specification.md §9.2). */
  onlyGiven?: boolean;
}

const none = '—';
const orNone = (text: string): string => text.trim() || none;

/** In details a date has HH:mm (docs/specification.md §3.5), unless it has no time of day. */
const when = (value: string): string => (formatTime(value) === '00:00' ? formatDate(value) : formatDateTime(value));

function differenceTone({ differenceWeight = '0' }: ListedChallan): 'good' | 'bad' | undefined {
  // docs/specification.md §3.5: red when positive, green when negative.
  const sign = compare(differenceWeight, '0');
  if (sign === 0) return undefined;
  return sign > 0 ? 'bad' : 'good';
}

type Extra = Omit<DetailLine, 'label'>;

/** Formats the value of a field by its kind. */
const shownKinds: Readonly<Record<Exclude<FieldKind, 'record' | 'flag'>, (value: string) => string>> = {
  text: orNone,
  identifier: orNone,
  reference: orNone,
  money: formatINR,
  weight: (value) => `${formatWeight(value)} MT`,
  liters: (value) => `${formatWeight(value)} L`,
  percent: (value) => `${formatPercentage(value)} %`,
  date: when,
  instant: formatDateTime,
  count: orNone,
};

/** For some fields a note beside the value, or a text that replaces it. */
const extras: { readonly [N in ChallanFieldName]?: (challan: ListedChallan) => Partial<Extra> } = {
  ownerName: ({ ownerName, owner }) => (ownerName === owner.name ? {} : { note: `Owner record: ${owner.name}` }),
  discounter: ({ discounter }) => (discounter ? { note: discounter.contactNumber } : {}),
  differenceWeight: (challan) => {
    const tone = differenceTone(challan);
    return tone ? { tone } : {};
  },
  tdsPercentage: ({ tdsDeclaration }) => (tdsDeclaration ? { note: declarationText(tdsDeclaration.name) } : {}),
  depositedAt: ({ depositedAt }) => (depositedAt === null ? { value: 'Not deposited' } : {}),
  paymentStatus: ({ paymentStatus, paidAt }) => ({
    value: paymentStatus ? 'Paid' : 'Unpaid',
    ...stamp(paymentStatus, paidAt),
  }),
  holdReason: ({ holdReason, owner }) =>
    holdReason === '' && owner.holdReason !== '' ? { value: `${owner.name}: ${owner.holdReason}`, tone: 'bad' } : {},
  hsdVerified: (challan) => ({ value: hsdWord(challan), ...stamp(challan.hsdVerified, challan.hsdVerifiedAt) }),
};

function shownValue(challan: ListedChallan, name: ChallanFieldName): string {
  const { kind } = challanFields[name];
  const value = challan[name];
  if (value === null || value === undefined || kind === 'flag') return none;
  if (typeof value === 'object') return value.name;
  return kind === 'record' ? none : shownKinds[kind](String(value));
}

const titles: Readonly<Record<Exclude<DetailSectionName, 'amounts'>, string>> = {
  basic: 'Basic Information',
  weights: 'Weight Information',
  rates: 'Rates',
  additional: 'Additional Information',
  status: 'Status',
};

/** The fields that the challan has, under the headings of the form. Amounts are not among them, because they are lines of the sum (`sumLines`). */
export function detailSections(challan: ListedChallan, { onlyGiven = false }: DetailOptions = {}): DetailSection[] {
  const isOmitted = (name: ChallanFieldName): boolean =>
    !(name in challan) ||
    (onlyGiven &&
      ((name === 'depositedAt' && challan.depositedAt === null) || (name === 'remarks' && !challan.remarks?.trim())));
  return Object.entries(titles).map(([section, title]) => ({
    title,
    lines: detailOrder
      .filter((name) => challanDetails[name] === section && !isOmitted(name))
      .map((name) => ({
        label: challanFields[name].label,
        value: shownValue(challan, name),
        ...extras[name]?.(challan),
      })),
  }));
}

function stamp(isOn: boolean, at: string | null | undefined): Pick<DetailLine, 'tone' | 'note'> {
  if (!isOn) return {};
  return { tone: 'good', ...(at ? { note: `on ${when(at)}` } : {}) };
}

function hsdWord(challan: ListedChallan): string {
  if (challan.hsdVerified) return 'Verified';
  return challan.petrolPump ? 'Not verified' : 'No petrol pump';
}

/**
 * The stored sum, line by line; nothing is recalculated (docs/specification.md §8.4.3). `aside` has lines that are shown but
 * are not part of the sum.
 */
export function sumLines(challan: Challan): { lines: BreakdownLine[]; aside: BreakdownLine[] } {
  const { breakdown } = amountsAfterEdit(challan, [], {
    loadingWeight: challan.loadingWeight,
    unloadingWeight: challan.unloadingWeight,
    ratePerMT: challan.ratePerMT,
    tdsPercentage: challan.tdsPercentage,
    hsdPricePerLiter: challan.hsdPricePerLiter,
    hsdInLiters: challan.hsdInLiters,
    advanceMoney: challan.advanceMoney,
    officeCharges: challan.officeCharges,
    discountWeight: challan.discountWeight,
    materialShortageAmount: challan.materialShortageAmount,
  });
  return {
    lines: breakdown.filter(({ sign }) => sign !== ' '),
    aside: breakdown.filter(({ sign }) => sign === ' '),
  };
}

/** '− ₹1,200.00' for a deduction. A line that is not part of the sum has no sign. */
export function signedAmount({ amount, sign }: BreakdownLine): string {
  if (amount === null) return none;
  const bare = formatINR(amount);
  return sign === '-' && isPositive(amount) ? `− ${bare}` : bare;
}

/** All fields as plain text, for a message or a mail. */
export function detailsText(challan: Challan, options?: DetailOptions): string {
  const sections = detailSections(challan, options).map(({ title, lines }) => [
    title,
    ...lines.map(({ label, value, note }) => `${label}: ${value}${note ? ` (${note})` : ''}`),
  ]);
  const { lines, aside } = sumLines(challan);
  const textOf = (item: BreakdownLine): string =>
    `${item.label}: ${signedAmount(item)}${item.how ? ` (${item.how})` : ''}`;
  const net = `Net Amount Payable: ${formatINR(challan.netAmountPayable)}`;
  const sum = ['Amounts', ...lines.map(textOf), net, ...aside.map(textOf)];
  const blocks = [...sections.slice(0, 3), sum, ...sections.slice(3)];
  return [`Challan ${challan.challanNumber}`, ...blocks.map((block) => block.join('\n'))].join('\n\n');
}
