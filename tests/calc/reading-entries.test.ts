import { describe, expect, it } from 'vitest';
import { answerMapping, readAnswers } from '../../src/shared/bank-answers/read-answers.ts';
import { formatDate } from '../../src/shared/calc/dates.ts';
import { formatAmount, formatPercentage } from '../../src/shared/calc/money.ts';
import { readOpening } from '../../src/shared/reading/opening-rows.ts';
import { readAmountCell, readTpCell } from '../../src/shared/reading/pump-bill.ts';
import type { ValueKind } from '../../src/shared/reading/values.ts';
import { sheetColumns, valueKindOf } from '../../src/shared/sheet/challan-sheet-fields.ts';
import { checkRow, type Lookups } from '../../src/shared/sheet/check-row.ts';
import { importFields, readImportRow } from '../../src/shared/sheet/import-fields.ts';
import { settled } from '../../src/shared/sheet/sheet.ts';
import { filesUnder, importsOf } from '../../src/tasks/imports.ts';
import { casesOn, readingCases, type ReadingCase } from '../reading-cases.ts';

/** What a way in makes of a text, and what it says of it. undefined: it does not take this kind of value. */
type Entry = (kind: ValueKind, text: string) => { value: string; said?: string | undefined } | undefined;

const none: Lookups = {
  vehicle: () => null,
  owners: () => [],
  tags: () => [],
  petrolPumps: () => [{ id: '00000000-0000-4000-8000-000000000001' }],
  lastTds: () => undefined,
  declarations: () => [],
  lastRate: () => null,
};
/** A value as the entry sheet shows it. */
function shownInSheet(kind: ValueKind, value: string): string {
  if (value === '') return '';
  if (kind === 'day') return formatDate(value);
  if (kind === 'percent') return formatPercentage(value);
  return kind === 'money' || kind === 'weight' || kind === 'liters' ? formatAmount(value) : value;
}

/** Each file that reads values, with the way that a text takes through it. */
const entries: Readonly<Record<string, { read: Entry; shown?: typeof shownInSheet }>> = {
  'src/shared/sheet/import-fields.ts': {
    read: (kind, text) => {
      const fields = Object.values(importFields).flat();
      const field = fields.find((one) => one.kind === kind);
      if (!field) return undefined;
      const { texts, errors } = readImportRow([field], [text], casesOn);
      return { value: texts[field.name] ?? '', said: errors[0]?.message };
    },
  },
  'src/shared/sheet/check-row.ts': {
    read: (kind, text) => {
      const column = sheetColumns.findLast((one) => valueKindOf(one) === kind);
      if (!column) return undefined;
      const cells = { petrolPump: 'Pump', hsdPricePerLiter: '90', [column]: settled(column, text, casesOn) };
      const starts = { texts: {}, tripDays: 0 };
      const { errors, shown } = checkRow(cells, { today: casesOn, starts, lookups: none });
      // The rules of a challan say something of some right values too.
      return { value: shown[column], said: errors[column] };
    },
    shown: shownInSheet,
  },
  'src/shared/reading/opening-rows.ts': {
    read: (kind, text) => {
      if (kind !== 'day' && kind !== 'balance') return undefined;
      const texts = { day: '01/04/2026', balance: '5', note: '', [kind]: text };
      const { asOf, amount, errors } = readOpening(texts, '2026-11-27');
      return { value: kind === 'day' ? asOf : amount, said: errors[0]?.message };
    },
  },
  'src/shared/reading/pump-bill.ts': {
    read: (kind, text) => {
      if (kind === 'tp') {
        const read = readTpCell(text);
        return 'error' in read ? { value: '', said: read.error } : { value: read.tpNo };
      }
      if (kind !== 'money') return undefined;
      const read = readAmountCell(text);
      return 'error' in read ? { value: '', said: read.error } : { value: read.amount };
    },
  },
  'src/shared/bank-answers/read-answers.ts': {
    read: (kind, text) => {
      if (kind !== 'reference' && kind !== 'day') return undefined;
      const cells = { reference: 'PAY1', day: '', [kind]: text };
      const table = [
        ['Customer Reference', 'Account Number', 'Amount', 'Value Date', 'UTR', 'Status'],
        [cells.reference, '50100123456789', '5', cells.day, 'U1', 'Success'],
      ];
      const { rows, bad } = readAnswers(table, answerMapping(table), {}, casesOn);
      const [row] = rows;
      return row ? { value: kind === 'day' ? row.day : row.reference } : { value: '', said: bad[0]?.reason };
    },
  },
};
/** They only choose the kind of a value, or what is read again in check-row.ts. */
const withoutOwnReading = ['src/shared/sheet/challan-sheet-fields.ts', 'src/shared/sheet/sheet.ts'];
/** Forms, whose fields are tested in tests/web/kit/forms. */
const ofForms = ['src/web/kit/forms/record-fields.tsx'];

function expectOutcome({ outcome }: ReadingCase, found: ReturnType<Entry>, shown = (value: string) => value): void {
  if (outcome instanceof RegExp) expect(found?.said).toBeTruthy();
  else expect(found?.value).toBe(shown(typeof outcome === 'string' ? outcome : outcome.value));
}

describe('a way into the product', () => {
  it.each(Object.entries(entries))('%s reads each text as the list of cases says', (_file, { read, shown }) => {
    let taken = 0;
    for (const one of readingCases) {
      const found = read(one.kind, one.text);
      if (!found) continue;
      taken += 1;
      expectOutcome(one, found, shown && ((value) => shown(one.kind, value)));
    }
    expect(taken).toBeGreaterThan(40);
  });

  it('is in this test', () => {
    const reading = filesUnder('src').filter((file) =>
      importsOf(file).some(({ to }) => to === 'src/shared/reading/values.ts'),
    );
    expect(reading.toSorted()).toEqual([...Object.keys(entries), ...withoutOwnReading, ...ofForms].toSorted());
  });
});
