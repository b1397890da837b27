import { formatINR, isZero, subtract } from '../calc/money.ts';
import { tdsDepositFields, type TdsDeposit } from '../contract/tds-deposits.ts';
import { headed, type Column, type Status } from './define.ts';

/** What of a deposit covers nothing: 'All used', '₹100.00 spare'. */
function spareOf({ amount, covered }: TdsDeposit): Status {
  const spare = subtract(amount, covered);
  return isZero(spare) ? { label: 'All used', tone: 'good' } : { label: `${formatINR(spare)} spare`, tone: 'warn' };
}

/** Deposits of TDS (docs/specification.md §30.3). */
export const depositColumns: readonly Column<TdsDeposit>[] = [
  {
    key: 'depositedOn',
    ...headed(tdsDepositFields.depositedOn),
    width: 140,
    least: 130,
    pin: 'left',
    sortKey: 'depositedOn',
  },
  { key: 'bsrCode', ...headed(tdsDepositFields.bsrCode), width: 104 },
  { key: 'serialNo', ...headed(tdsDepositFields.serialNo), width: 100 },
  {
    key: 'amount',
    ...headed(tdsDepositFields.amount),
    width: 150,
    least: 134,
    sortKey: 'amount',
    total: 'amount',
  },
  {
    key: 'deductedFrom',
    ...headed(tdsDepositFields.deductedFrom),
    width: 140,
    least: 130,
    sortKey: 'deductedFrom',
  },
  { key: 'deductedTo', ...headed(tdsDepositFields.deductedTo), width: 120 },
  {
    key: 'quarter',
    label: 'Quarter',
    kind: 'text',
    width: 114,
    least: 106,
    value: ({ year, quarter }) => `${quarter.toUpperCase()} ${year}`,
  },
  { key: 'covered', label: 'Covers', kind: 'money', width: 150, least: 134, total: 'covered' },
  { key: 'challanCount', label: 'Challans', kind: 'count', width: 96 },
  { key: 'spare', label: 'Use', kind: 'status', width: 180, value: spareOf },
  { key: 'note', ...headed(tdsDepositFields.note), width: 200, isOffered: true },
];
