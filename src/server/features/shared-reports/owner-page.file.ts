import { createHash } from 'node:crypto';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { CSV_BOM } from '../../../shared/calc/csv-text.ts';
import { formatDate, formatDateTime } from '../../../shared/calc/dates.ts';
import { formatINR, formatWeight, isNegative, isZero } from '../../../shared/calc/money.ts';
import type { Column } from '../../../shared/columns/define.ts';
import type { Language } from '../../../shared/contract/languages.ts';
import type { OwnerPage, OwnerPayment, OwnerTrip } from '../../../shared/contract/shared-reports.ts';
import { csvHeader, csvRow } from '../../files/csv.ts';
import { ownerTexts, type OwnerTexts } from './owner-page-texts.file.ts';

export const tripsPerPage = 25;
const maxPayments = 24;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? '');

/** Markup that is inserted unchanged. Every other value in a `markup` template is escaped. */
class Markup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
type Part = Markup | string | readonly Part[] | false;
const textOf = (part: Part): string =>
  part === false
    ? ''
    : typeof part === 'string'
      ? escapeHtml(part)
      : part instanceof Markup
        ? part.text
        : part.map(textOf).join('');
const markup = (pieces: TemplateStringsArray, ...parts: Part[]): Markup =>
  new Markup(pieces.map((piece, index) => piece + textOf(parts[index] ?? '')).join(''));

/**
 * Fonts that are shipped with the product, for letters that not every phone has. A text without such letters loads no
 * font.
 */
export const pageFonts: Readonly<Record<string, string>> = {
  'devanagari.woff2': '@fontsource/noto-sans/files/noto-sans-devanagari-400-normal.woff2',
  'odia.woff2': '@fontsource/noto-sans-oriya/files/noto-sans-oriya-oriya-400-normal.woff2',
};

const style = `
@font-face{font-family:Noto;src:url(../fonts/devanagari.woff2) format("woff2");font-display:swap;unicode-range:U+0900-097F,U+1CD0-1CFF,U+A8E0-A8FF}
@font-face{font-family:Noto;src:url(../fonts/odia.woff2) format("woff2");font-display:swap;unicode-range:U+0B00-0B7F}
:root{color-scheme:light dark;--page:#f4f6f8;--card:#fff;--text:#17202a;--muted:#4f5d6b;--line:#d5dce3;--link:#0b57a4;--good:#0b6b3a;--due:#8a4b00}
@media (prefers-color-scheme:dark){:root{--page:#10161c;--card:#1a232c;--text:#e8edf2;--muted:#a9b6c3;--line:#33414e;--link:#7db8f5;--good:#6fd19b;--due:#f0b56a}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.45 Noto,system-ui,sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
main{max-width:40rem;margin:0 auto;padding:12px}
h1{font-size:1.15rem;margin:0}h2{font-size:1.05rem;margin:20px 4px 8px}p{margin:4px 0}
.card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px;margin:0 0 10px}
.muted{color:var(--muted);font-size:.9rem}.big{font-size:1.9rem;font-weight:700;margin:0}
.good{color:var(--good)}.due{color:var(--due)}
dl{margin:0;display:grid;grid-template-columns:1fr auto;gap:4px 12px}dt{color:var(--muted)}dd{margin:0;text-align:right}
.row{display:flex;justify-content:space-between;gap:12px;align-items:baseline}.row>:last-child{text-align:right;white-space:nowrap}
.sum{border-top:1px solid var(--line);padding-top:4px;font-weight:700;color:var(--text)}
summary{cursor:pointer;list-style:none}summary::-webkit-details-marker{display:none}
summary .more::before{content:"▸ "}details[open] summary .more::before{content:"▾ "}
details dl{border-top:1px solid var(--line);margin-top:8px;padding-top:8px}
nav{display:flex;gap:10px;margin:12px 0}
a{color:var(--link)}nav a{flex:1;min-height:44px;display:flex;align-items:center;justify-content:center;border:1px solid var(--link);border-radius:10px;text-decoration:none;font-weight:600;background:var(--card)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}`;

/** The content security policy of the page: it runs no script, loads only its fonts, and uses only the style above. */
export const pagePolicy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The font of the language is preloaded, before the browser has parsed the style. */
const fontOf: Readonly<Record<Language, string>> = { English: '', Hindi: 'devanagari.woff2', Odia: 'odia.woff2' };
const preload = (language: Language): Part =>
  fontOf[language] !== '' &&
  markup`<link rel="preload" href="../fonts/${fontOf[language]}" as="font" type="font/woff2" crossorigin>`;

const documentOf = (texts: OwnerTexts, title: string, body: Part, head: Part = false): string =>
  markup`<!doctype html><html lang="${texts.code}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow"><title>${title}</title>${head}<style>${new Markup(style)}</style></head><body><main>${body}</main></body></html>`
    .text;

const fact = (label: string, value: string, look = ''): Markup =>
  markup`<dt class="${look}">${label}</dt><dd class="${look}">${value}</dd>`;

const note = (...parts: Part[]): Markup => markup`<p class="muted">${parts}</p>`;

function summaryOf(texts: OwnerTexts, page: OwnerPage): Markup {
  const isOwed = !isNegative(page.unpaid) && !isZero(page.unpaid);
  const head = [
    note(page.business),
    markup`<h1>${page.owner}</h1>`,
    page.account !== '' && note(texts.account, ' ', page.account),
    note(texts.asOf, ' ', formatDateTime(page.asOf)),
    page.chosen !== '' && markup`<p>${texts.chosen}: ${page.chosen}</p>`,
  ];
  const sums = [
    fact(texts.trips, formatCount(page.count)),
    fact(texts.total, formatINR(page.total)),
    fact(texts.paid, formatINR(page.paid)),
    page.carried !== undefined && fact(texts.carried, `− ${formatINR(page.carried)}`),
    fact(texts.tds, formatINR(page.tds)),
  ];
  const owed = markup`<p class="big ${isOwed ? 'due' : ''}">${formatINR(page.unpaid)}</p>`;
  return markup`<header class="card">${head}</header><section class="card">${note(texts.owed)}${owed}<dl>${sums}</dl></section>`;
}

function paymentOf(texts: OwnerTexts, one: OwnerPayment): Markup {
  const facts = [
    fact(texts.paymentNumber, one.number),
    fact(texts.trips, formatCount(one.count)),
    one.carried !== undefined && fact(texts.carried, formatINR(one.carried)),
    one.utr !== '' && fact(texts.utr, one.utr),
    one.bankOn !== null && fact(texts.bankOn, formatDate(one.bankOn)),
  ];
  return markup`<section class="card"><div class="row"><b>${formatDate(one.paidOn)}</b><b class="good">${formatINR(one.amount)}</b></div><dl>${facts}</dl></section>`;
}

function tripOf(texts: OwnerTexts, trip: OwnerTrip): Markup {
  const less = (label: string, amount: string): Part => !isZero(amount) && fact(label, `− ${formatINR(amount)}`);
  const isPaid = trip.paidOn !== null;
  const facts = [
    fact(texts.challanNumber, trip.challanNumber),
    fact(texts.tpNo, trip.tpNo),
    fact(texts.material, trip.material),
    fact(texts.loadedOn, formatDate(trip.loadedOn)),
    fact(texts.unloadedOn, formatDate(trip.unloadedOn)),
    fact(texts.loadingWeight, formatWeight(trip.loadingWeight)),
    fact(texts.unloadingWeight, formatWeight(trip.unloadingWeight)),
    fact(texts.rate, formatINR(trip.rate)),
    fact(texts.freight, formatINR(trip.freight)),
    less(texts.tds, trip.tds),
    less(texts.hsd, trip.hsd),
    less(texts.advance, trip.advance),
    less(texts.office, trip.office),
    less(texts.shortage, trip.shortage),
    fact(texts.net, formatINR(trip.net), 'sum'),
    trip.paidOn !== null && fact(texts.paidOn, formatDate(trip.paidOn)),
    trip.paymentNumber !== null && fact(texts.paymentNumber, trip.paymentNumber),
  ];
  const first = markup`<b>${formatDate(trip.loadedOn)} · ${trip.vehicleNo}</b><b>${formatINR(trip.net)}</b>`;
  const second = markup`<span class="muted more">${trip.from} → ${trip.to}</span><span class="${isPaid ? 'good' : 'due'}">${isPaid ? texts.paid : texts.unpaid}</span>`;
  return markup`<details class="card"><summary><div class="row">${first}</div><div class="row">${second}</div></summary><dl>${facts}</dl></details>`;
}

/** Returns the page as HTML. `number` counts the pages of trips from 1. */
export function ownerPageHtml(page: OwnerPage, trips: readonly OwnerTrip[], number: number): string {
  const texts = ownerTexts[page.language];
  const last = lastPageOf(page);
  const pageLink = (to: number, label: string): Part =>
    to >= 1 && to <= last && markup`<a href="page?n=${String(to)}">${label}</a>`;
  const payments = page.payments.slice(0, maxPayments).map((one) => paymentOf(texts, one));
  const body = [
    summaryOf(texts, page),
    markup`<nav aria-label="PDF, CSV"><a href="pdf" download>PDF</a><a href="csv" download>CSV</a></nav>`,
    number === 1 && [
      markup`<h2>${texts.payments}</h2>`,
      payments.length === 0 ? markup`<p class="card">${texts.noPayments}</p>` : payments,
      page.payments.length > maxPayments && note(texts.olderPayments),
    ],
    markup`<h2>${texts.trips}${last > 1 && ` · ${texts.page} ${number}/${last}`}</h2>`,
    trips.map((trip) => tripOf(texts, trip)),
    last > 1 &&
      markup`<nav aria-label="${texts.page}">${pageLink(number - 1, texts.previous)}${pageLink(number + 1, texts.next)}</nav>`,
    note(texts.validUntil, ' ', formatDateTime(page.validUntil)),
  ];
  return documentOf(texts, `${texts.title} – ${page.owner}`, body, preload(page.language));
}

const lastPageOf = ({ count }: OwnerPage): number => Math.max(1, Math.ceil(count / tripsPerPage));

/** Returns a page without data. It has its message in every language, because the reader is unknown. */
export const emptyPage = (what: 'gone' | 'busy'): string =>
  documentOf(ownerTexts.English, 'Challan Desk', [
    markup`<h1>Challan Desk</h1>`,
    Object.values(ownerTexts).map((texts) => markup`<p class="card" lang="${texts.code}">${texts[what]}</p>`),
  ]);

type FileRow = OwnerTrip & { utr: string };

const column = (
  key: keyof FileRow & string,
  label: string,
  kind: 'text' | 'identifier' | 'money' | 'weight' | 'date',
) =>
  // The cast is safe: the trips have texts for each of these kinds.
  ({ key, label, kind, width: 100 }) as Column<FileRow>;

const fileColumns = (texts: OwnerTexts): Column<FileRow>[] => [
  column('challanNumber', texts.challanNumber, 'identifier'),
  column('tpNo', texts.tpNo, 'identifier'),
  column('vehicleNo', texts.vehicleNo, 'identifier'),
  column('material', texts.material, 'text'),
  column('from', texts.from, 'text'),
  column('to', texts.to, 'text'),
  column('loadedOn', texts.loadedOn, 'date'),
  column('unloadedOn', texts.unloadedOn, 'date'),
  column('loadingWeight', texts.loadingWeight, 'weight'),
  column('unloadingWeight', texts.unloadingWeight, 'weight'),
  column('rate', texts.rate, 'money'),
  column('freight', texts.freight, 'money'),
  column('tds', texts.tds, 'money'),
  column('hsd', texts.hsd, 'money'),
  column('advance', texts.advance, 'money'),
  column('office', texts.office, 'money'),
  column('shortage', texts.shortage, 'money'),
  column('net', texts.net, 'money'),
  column('paidOn', texts.paidOn, 'date'),
  column('paymentNumber', texts.paymentNumber, 'identifier'),
  column('utr', texts.utr, 'identifier'),
];

/** Returns the same trips as a CSV file in the owner's language. */
export function ownerPageCsv(page: Pick<OwnerPage, 'language' | 'payments'>, trips: readonly OwnerTrip[]): string {
  const columns = fileColumns(ownerTexts[page.language]);
  const utrs = new Map(page.payments.map(({ number, utr }) => [number, utr]));
  const rows = trips.map((trip) => csvRow(columns, { ...trip, utr: utrs.get(trip.paymentNumber ?? '') ?? '' }));
  return CSV_BOM + csvHeader(columns) + rows.join('');
}
