/** Recognises rows of totals by what they say, in the files of pumps and banks. */

const totals = new Set(['total', 'totals', 'subtotal', 'subtotals', 'कुल', 'योग', 'महायोग', 'ମୋଟ']);

/** What stands before it and says of what: "Transaction Total", "Page Total". */
const before = new Set(
  `grand sub net gross final overall cumulative cum running page bill statement stmt account a c day daily date week weekly
   month monthly period report branch transaction transactions txn txns trans tran debit debits credit credits dr cr
   withdrawal withdrawals deposit deposits महा`.split(/\s+/),
);
/** What also stands after it: "Total Amount (Rs)", "कुल राशि", "Total for the period". */
const after = new Set(
  'payments receipts amount amounts amt count number no of for the this and in rs inr राशि'.split(' '),
);

/** The words, without invisible characters, which come with text that is copied from a chat or a web page. */
const wordsOf = (text: string): string[] =>
  text
    .replace(/\p{Cf}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{M}]+/gu) ?? [];

/** Whether a text begins as a row of totals does: 'Total', 'Grand Total: 12 trips', 'TRANSACTION TOTAL', 'कुल योग'. */
export function saysTotal(text: string): boolean {
  const words = wordsOf(text);
  const at = words.findIndex((word) => totals.has(word));
  return at >= 0 && !/^\W*\d/.test(text) && words.slice(0, at).every((word) => before.has(word));
}

/** Whether it says nothing else: 'Statement Total', and not 'Total Energies'. */
export function isOnlyTotal(text: string): boolean {
  return saysTotal(text) && wordsOf(text).every((word) => totals.has(word) || before.has(word) || after.has(word));
}
