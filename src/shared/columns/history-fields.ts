import {
  challanFields,
  detailOrder,
  sentName,
  type ChallanFieldName,
  type SentName,
  type StoredField,
} from '../contract/challan-fields.ts';
import type { FieldKind, RecordField } from '../contract/fields.ts';
import type { HistoryRecord, HistoryValueKind } from '../contract/history.ts';
import { recordFields } from '../contract/index.ts';

/** How a History tab shows a recorded field: its label, and the format of its values. */
export interface HistoryField extends Omit<RecordField, 'kind' | 'heading'> {
  kind: HistoryValueKind;
}

const text = (label: string): HistoryField => ({ label, kind: 'text' });

const kinds: Readonly<Record<FieldKind, HistoryValueKind>> = {
  text: 'text',
  identifier: 'text',
  reference: 'text',
  money: 'money',
  weight: 'weight',
  liters: 'liters',
  percent: 'percent',
  date: 'date',
  instant: 'date',
  count: 'text',
  flag: 'text',
  record: 'text',
};

/** The fields whose changes are recorded: those that a save writes, and those that change by other means. */
type RecordedField = StoredField | 'paymentStatus' | 'hsdVerified' | 'holdReason';
const flagWords = { paymentStatus: ['Paid', 'Unpaid'], hsdVerified: ['Verified', 'Not verified'] } as const;
const recordTables = { owner: 'owners', discounter: 'owners', tag: 'tags', petrolPump: 'petrol_pumps' } as const;

const isRecorded = (name: ChallanFieldName): name is RecordedField =>
  name in flagWords || name === 'holdReason' || challanFields[name].origin !== 'server';

/** The recorded fields of a challan in the order of its details. */
const challanHistory = Object.fromEntries(
  detailOrder.filter(isRecorded).map((name) => {
    const { label, kind } = challanFields[name];
    return [
      sentName(name),
      {
        label,
        kind: kinds[kind],
        ...(name in flagWords && { words: flagWords[name as keyof typeof flagWords] }),
        ...(name in recordTables && { names: recordTables[name as keyof typeof recordTables] }),
      },
    ];
  }),
  // Safe: the filter leaves exactly the recorded fields.
) as { readonly [N in RecordedField as SentName<N>]: HistoryField };

type HistoryFields = Readonly<Record<string, HistoryField>>;

/** What is recorded of a record besides what people enter on its screen. */
const furtherFields: Readonly<Partial<Record<HistoryRecord, HistoryFields>>> = {
  owner: {
    holdReason: text('On Hold'),
    copiedFrom: text('Copied From'),
    fileName: text('File'),
    recordCount: text('Challans'),
  },
  subadmin: {
    tdsBasis: text('TDS Counted By'),
    tdsSection: text('TDS Section'),
    tdsYearThreshold: { label: 'TDS Threshold of a Year', kind: 'money' },
    tdsChallanThreshold: { label: 'TDS Threshold of a Challan', kind: 'money' },
    declarationCarriages: text('Goods Carriages at Most'),
    declarationNotice: text('Notice of a Declaration, Days'),
    declarationLaw: text('Law of Declarations'),
    declarationFrom: { label: 'Law of Declarations Since', kind: 'date' },
    declarationSource: text('Source of the Law'),
    declarationWording: text('Wording of Declarations'),
    depositDueDay: text('Day of the Next Month for Deposits'),
    depositMarchDay: text('Day of April for Deposits of March'),
    depositsFrom: { label: 'Days for Deposits Since', kind: 'date' },
    depositsSource: text('Source of the Days for Deposits'),
    tallyLedgers: text('Ledgers in Tally'),
    tallyAccounts: text('Bank Ledgers in Tally'),
    tallyGrouping: text('Journals in Tally'),
    tallyMasters: text('Masters of Tally'),
  },
};

const historyFieldsOf = (fields: Readonly<Record<string, RecordField>>): HistoryFields =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, kind: kinds[field.kind] }]));

type OtherRecord = keyof typeof recordFields;
/** The recorded fields of each record. The history lists changes in this order, which is that of the record's screen. */
export const historyFields = {
  // Safe: the keys are those of the table.
  ...(Object.fromEntries(
    (Object.keys(recordFields) as OtherRecord[]).map((record) => [
      record,
      { ...historyFieldsOf(recordFields[record]), ...furtherFields[record] },
    ]),
  ) as Record<OtherRecord, HistoryFields>),
  challan: challanHistory,
} satisfies Readonly<Record<HistoryRecord, HistoryFields>>;

export const fieldsOf = (record: HistoryRecord): HistoryFields => historyFields[record];
