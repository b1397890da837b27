import { amountsAfterEdit } from '../../shared/calc/challan-amounts.ts';
import type { BreakdownLine } from '../../shared/calc/challan-breakdown.ts';
import { formatDate, formatDateTime, formatTime } from '../../shared/calc/dates.ts';
import { compare, formatINR, formatPercentage, formatWeight, isPositive } from '../../shared/calc/money.ts';
import type { Challan } from '../../shared/contract/challan.ts';

/** A challan as people read it: its details dialogs show it, Ctrl+C copies it. */
export interface DetailLine {
  label: string;
  value: string;
  /** A quieter word after it: how it came about, or a contact number. */
  note?: string;
  tone?: 'good' | 'bad';
}
export interface DetailSection {
  title: string;
  lines: readonly DetailLine[];
}

export interface DetailOptions {
  /** Remarks and the deposited date appear only when the challan has them (part 2 §2.4). */
  onlyGiven?: boolean;
}

const none = '—';
const orNone = (text: string): string => text.trim() || none;

/** Part 2 §9: with HH:mm in details; a date that carries no time of day is not given one. */
const when = (value: string): string => (formatTime(value) === '00:00' ? formatDate(value) : formatDateTime(value));

function differenceTone(challan: Challan): 'good' | 'bad' | undefined {
  // Ruling 22: red when positive, green when negative.
  const sign = compare(challan.differenceWeight, '0');
  if (sign === 0) return undefined;
  return sign > 0 ? 'bad' : 'good';
}

const line = (label: string, value: string, extra: Omit<DetailLine, 'label' | 'value'> = {}): DetailLine => ({
  label,
  value,
  ...extra,
});

/** Under the heads of the form: basic, weights, rates, additional, status. */
export function detailSections(challan: Challan, { onlyGiven = false }: DetailOptions = {}): DetailSection[] {
  const { discounter, owner, depositedAt, remarks } = challan;
  const tone = differenceTone(challan);
  const isCopied = challan.ownerName !== owner.name;
  return [
    {
      title: 'Basic Information',
      lines: [
        line('TP No', challan.tpNo),
        line('Vehicle No', challan.vehicleNo),
        line('Loading Date', when(challan.loadingDate)),
        line('Unloading Date', when(challan.unloadingDate)),
        line('Material', challan.material),
        line('Tag', challan.tag?.name ?? none),
        line('Owner Name', challan.ownerName, isCopied ? { note: `Owner record: ${owner.name}` } : {}),
        line('Owner Contact Number', orNone(challan.ownerContactNumber)),
        line('Discounter', discounter?.name ?? none, discounter ? { note: discounter.contactNumber } : {}),
        line('Petrol Pump', challan.petrolPump?.name ?? none),
        line('Loading Place', challan.loadingPlace),
        line('Unloading Place', challan.unloadingPlace),
      ],
    },
    {
      title: 'Weight Information',
      lines: [
        line('Loading Weight', `${formatWeight(challan.loadingWeight)} MT`),
        line('Unloading Weight', `${formatWeight(challan.unloadingWeight)} MT`),
        line('Difference Weight', `${formatWeight(challan.differenceWeight)} MT`, tone ? { tone } : {}),
        line('Discount Weight', `${formatWeight(challan.discountWeight)} MT`),
      ],
    },
    {
      title: 'Rates',
      lines: [
        line('Rate per MT', formatINR(challan.ratePerMT)),
        line('TDS Percentage', challan.tdsPercentage === null ? none : `${formatPercentage(challan.tdsPercentage)} %`),
        line('HSD Price per Liter', formatINR(challan.hsdPricePerLiter)),
        line('HSD in Liters', `${formatWeight(challan.hsdInLiters)} L`),
      ],
    },
    {
      title: 'Additional Information',
      lines: [
        line('Driver Name', orNone(challan.driverName)),
        line('Driving License No', orNone(challan.drivingLicenseNo)),
        line('Vehicle Type', orNone(challan.vehicleType)),
        line('Vehicle Wheels', challan.vehicleWheel === null ? none : String(challan.vehicleWheel)),
        line('Data Entry By', orNone(challan.dataEntryBy)),
        ...(onlyGiven && depositedAt === null
          ? []
          : [line('Deposited On', depositedAt === null ? 'Pending' : when(depositedAt))]),
        ...(onlyGiven && remarks.trim() === '' ? [] : [line('Remarks', orNone(remarks))]),
      ],
    },
    {
      title: 'Status',
      lines: [
        line('Payment Status', challan.paymentStatus ? 'Paid' : 'Unpaid', stamp(challan.paymentStatus, challan.paidAt)),
        line('HSD Verified', hsdWord(challan), stamp(challan.hsdVerified, challan.hsdVerifiedAt)),
        line('Created', formatDateTime(challan.createdAt)),
        line('Last Updated', formatDateTime(challan.updatedAt)),
      ],
    },
  ];
}

function stamp(isOn: boolean, at: string | null): Omit<DetailLine, 'label' | 'value'> {
  if (!isOn) return {};
  return { tone: 'good', ...(at === null ? {} : { note: `on ${formatDateTime(at)}` }) };
}

function hsdWord(challan: Challan): string {
  if (challan.hsdVerified) return 'Verified';
  return challan.petrolPump ? 'Not verified' : 'No petrol pump';
}

/**
 * The sum line by line as it is stored: nothing is worked out anew (ruling 18). `aside` is what is shown and takes no
 * part in it (ruling 16).
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

/** '− ₹1,200.00' for what is taken off; a line that takes no part has no sign. */
export function signedAmount({ amount, sign }: BreakdownLine): string {
  if (amount === null) return none;
  const bare = formatINR(amount);
  return sign === '-' && isPositive(amount) ? `− ${bare}` : bare;
}

/** Everything as plain text, for a message or a mail. */
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
