import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { LedgerUse, TallyVoucher } from '../../../shared/contract/tally.ts';
import type { TableFile } from '../../files/table-file.ts';

/** The XML that Tally imports (docs/specification.md §31.2). The same vouchers always make the same bytes. */

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
/** Characters that XML cannot contain become spaces, and so do the breaks of lines: Tally has one line for each text. */
// oxlint-disable-next-line no-control-regex -- control characters are exactly what is looked for here
const unwritable = /[\0-\x1f\x7f\ufffe\uffff]+/g;
const tallyText = (text: string): string =>
  text
    .toWellFormed()
    .replace(unwritable, ' ')
    .replace(/[&<>"']/g, (sign) => escapes[sign] ?? sign);

const head = (report: 'Vouchers' | 'All Masters', about: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${about} Not certified by Tally: import it into a copy of the company first. -->
<ENVELOPE>
<HEADER><TALLYREQUEST>Import Data</TALLYREQUEST></HEADER>
<BODY><IMPORTDATA>
<REQUESTDESC><REPORTNAME>${report}</REPORTNAME></REQUESTDESC>
<REQUESTDATA>
`;
const foot = `</REQUESTDATA>
</IMPORTDATA></BODY>
</ENVELOPE>
`;
const message = (content: string): string => `<TALLYMESSAGE xmlns:UDF="TallyUDF">${content}</TALLYMESSAGE>\n`;

const types: Readonly<Record<TallyVoucher['kind'], string>> = {
  journal: 'Journal',
  payment: 'Payment',
  receipt: 'Receipt',
};

/** Tally has debits below zero and "deemed positive", credits above zero. */
const entryXml = (ledger: string, debited: string): string => {
  const isCredit = debited.startsWith('-');
  return `<ALLLEDGERENTRIES.LIST><LEDGERNAME>${tallyText(ledger)}</LEDGERNAME><ISDEEMEDPOSITIVE>${isCredit ? 'No' : 'Yes'}</ISDEEMEDPOSITIVE><AMOUNT>${isCredit ? debited.slice(1) : `-${debited}`}</AMOUNT></ALLLEDGERENTRIES.LIST>`;
};

/** A voucher without ledgers takes back the one that has its id. */
function voucherXml({ id, kind, day, reference, narration, ledgers, amounts }: TallyVoucher): string {
  const date = day.replaceAll('-', '');
  const isGone = ledgers.length === 0;
  return message(
    `<VOUCHER REMOTEID="${id}" VCHTYPE="${types[kind]}" ACTION="${isGone ? 'Delete' : 'Create'}"><GUID>${id}</GUID><DATE>${date}</DATE><VOUCHERTYPENAME>${types[kind]}</VOUCHERTYPENAME>${
      isGone
        ? ''
        : `<EFFECTIVEDATE>${date}</EFFECTIVEDATE><REFERENCE>${tallyText(reference)}</REFERENCE><NARRATION>${tallyText(narration)}</NARRATION>${ledgers.map((ledger, at) => entryXml(ledger, amounts[at] ?? '0.00')).join('')}`
    }</VOUCHER>`,
  );
}

/** The groups of Tally under which the ledgers are made; those of owners are under a group of their own. */
const parents: Readonly<Record<Exclude<LedgerUse, 'ownersGroup'> | 'account', string>> = {
  freight: 'Direct Expenses',
  tds: 'Duties & Taxes',
  pumps: 'Sundry Creditors',
  advance: 'Cash-in-Hand',
  officeCharges: 'Indirect Incomes',
  shortage: 'Indirect Incomes',
  bank: 'Bank Accounts',
  account: 'Bank Accounts',
};

const masterXml = (what: 'GROUP' | 'LEDGER', name: string, parent: string): string =>
  message(
    `<${what} NAME="${tallyText(name)}" ACTION="Create"><NAME>${tallyText(name)}</NAME><PARENT>${tallyText(parent)}</PARENT></${what}>`,
  );

const tallyFile = (name: string, pieces: () => AsyncGenerator<string>): TableFile => ({
  name,
  contentType: 'application/octet-stream',
  // One piece is buffered at a time, so that a file of any length needs little memory.
  write: (sink) => pipeline(Readable.from(pieces(), { highWaterMark: 1 }), sink),
});

export const tallyVouchersFile = (
  { number, from, to }: { number: string; from: string; to: string },
  vouchers: () => AsyncIterable<TallyVoucher[]>,
): TableFile =>
  tallyFile(`tally_${number}_${from}_to_${to}.xml`, async function* () {
    yield head('Vouchers', `Vouchers from ${from} to ${to}.`);
    for await (const some of vouchers()) yield some.map(voucherXml).join('');
    yield foot;
  });

export const tallyMastersFile = (
  ownersGroup: string,
  ledgers: () => AsyncIterable<{ name: string; use: LedgerUse | 'account' }[]>,
): TableFile =>
  tallyFile('tally_masters.xml', async function* () {
    yield head('All Masters', 'Ledgers.');
    yield masterXml('GROUP', ownersGroup, 'Sundry Creditors');
    for await (const some of ledgers())
      yield some
        .map(({ name, use }) => masterXml('LEDGER', name, use === 'ownersGroup' ? ownersGroup : parents[use]))
        .join('');
    yield foot;
  });
