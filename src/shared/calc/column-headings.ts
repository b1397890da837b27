/**
 * What the columns of other people's tables are called: one list for the entry sheet, the imports, the bills of pumps and the
 * answers of banks. For each kind of column it has the headings, the best one first. No heading is in it twice.
 *
 * Some headings mean something else in each table: 'Date' is the loading day in an entry sheet, and the day of the payment in a
 * bank's answer. They are kinds of their own (`general`), and mean nothing by themselves. Each table says for each of its
 * fields which kinds the column may be of, the best one first. So the entry sheet, with `['loadingDate', 'date']`, takes a
 * column 'Date' for the loading date only where no column is named as a loading date.
 */

const texts = {
  tpNo: 'TP No, TP, Transit Pass No, Transit Pass, TP Serial No, Challan TP, Pass No, टीपी नं, टीपी नंबर, टीपी संख्या, टीपी',
  permitNo: 'Permit No, Permit, परमिट नं, परमिट नंबर, परमिट',
  vehicleNo:
    'Vehicle No, Truck No, Vehicle, Truck, Lorry No, Lorry, Registration No, Gadi No, वाहन नं, वाहन नंबर, वाहन संख्या, वाहन, गाड़ी नं, गाड़ी नंबर, गाड़ी, ट्रक नं',
  /** Several in one cell. */
  vehicles: 'Truck Nos, Vehicle Nos, Trucks, Vehicles',
  vehicleType: 'Vehicle Type, Type of Vehicle, Truck Type, Body Type',
  vehicleWheel: 'Wheels, Vehicle Wheels, Vehicle Wheel, No of Wheels, Wheel, Wheeler',
  driverName: 'Driver Name, Driver, Name of Driver',
  drivingLicenseNo: 'Driving License No, DL No, License No, Driving License, DL',
  material: 'Material, Item, Goods, Commodity, Mineral, Product, Material Name',
  loadingPlace: 'Loading Place, From, Loading Point, Load Place, Source, Mines, Loaded At, From Place, Origin',
  unloadingPlace: 'Unloading Place, To, Unloading Point, Unload Place, Destination, Unloaded At, To Place, Siding',
  ownerName: 'Owner Name, Owner, Truck Owner, Vehicle Owner, Name of Owner, Party Name, Party, Transporter',
  contactNumber: 'Contact No, Contact, Owner Contact No, Owner Contact, Mobile, Mobile No, Phone, Phone No',
  discounter: 'Discounter, Discounter Name, Discount Party',
  tag: 'Tag, Tag Name, Party Tag, Project, Work Order, Job',
  color: 'Color, Tag Color',
  petrolPump: 'Petrol Pump, Pump, Pump Name, Petrol Pump Name, Fuel Station, Filling Station, Diesel Pump',
  tdsPercentage: 'TDS %, TDS Rate, TDS in %',
  hsdInLiters: 'HSD L, HSD Ltr, HSD Qty, HSD in Ltr, Diesel Ltr, Diesel Qty, Ltr, Diesel in Ltr',
  remarks: 'Remarks, Remark, Note, Notes, Comment, Comments',
  dataEntryBy: 'Data Entry By, Entered By, Entry By, Operator, Typed By',
  address: 'Address, Owner Address, Pump Address, Location',
  accountNo:
    'Account No, Account, Bank Account, Bank Account No, Beneficiary Account No, Credit Account No, Acc No, Acct No',
  ifsc: 'IFSC, IFSC Code, IFS Code, Bank IFSC, Beneficiary IFSC, Beneficiary IFSC Code',
  pan: 'PAN, PAN No, PAN Card, PAN Card No, Owner PAN',
  branch: 'Branch, Branch Name, Bank Branch, Bank Name, Bank',
  language: 'Language, Preferred Language',
  beneficiary: 'Beneficiary Name, Payee Name',
  isPaid: 'Paid, Is Paid, Paid or Unpaid',
  paymentNo: 'Payment Reference, Payment No',
  ownReference: 'Customer Reference, Customer Reference No, Our Reference, Client Reference, Instruction Reference',
  utr: 'UTR, UTR No, UTR/RRN, RRN, UTR Reference No, Bank Reference, Bank Reference No, Transaction Reference',
  chequeOrReference:
    'Cheque/Reference No, Reference No/Cheque No, Cheque No/Reference No, Cheque/Reference, Reference/Cheque No, Reference/Cheque, Cheque/UTR No, UTR/Cheque No',
  cheque:
    'Transaction ID, Tran ID, Transaction No, Cheque No, Cheque, Cheque Details, Instrument ID, Instrument No, Instrument, Cheque ID, Journal No',
  bankText:
    'Transaction Remarks, Transaction Particulars, Transaction Description, Transaction Details, Transaction Narration, Tran Particulars, Tran Remarks, Description/Narration, Narration/Description, Particulars/Narration',
  side: 'Dr/Cr, Cr/Dr, D/C, C/D, Dr or Cr, Dr/Cr Flag, Dr/Cr Indicator, Cr/Dr Indicator, Debit or Credit',
  /** Dr and Cr, or NEFT and RTGS. */
  transactionType: 'Transaction Type',
  status: 'Status, Transaction Status, State',
  reason:
    'Reject Reason, Reason, Rejection Reason, Failure Reason, Return Reason, Status Description, Error, Error Description, Error Message',
  /** It counts the rows, and no table has a field for it. */
  serialNo: 'Sl No, S No, Sr No, Serial No, No',
};

const dates = {
  loadingDate: 'Loading Date, Load Date, Date of Loading, Loaded On, TP Date, Challan Date, Dispatch Date, Trip Date',
  unloadingDate: 'Unloading Date, Unload Date, Date of Unloading, Unloaded On, Delivery Date, Receipt Date',
  depositedAt: 'Deposited On, Deposited, Deposited Date, Deposit Date, Date of Deposit, Deposited At',
  paidOn: 'Paid On, Paid Date, Date Paid, Payment Date, Date of Payment, Paid At, Processed Date',
  asOf: 'At the End of, As Of, As On, As On Date, Balance Date',
  transactionDate:
    'Transaction Date, Tran Date, Trans Date, TRN Date, Post Date, Posting Date, Posted Date, Entry Date, Transaction Posted Date, Book Date, Booking Date',
  valueDate: 'Value Date, Val Date',
  billDate: 'Bill Date, Slip Date',
};

const amounts = {
  ratePerMT: 'Rate, Rate per MT, Rate / MT, Rate per Ton, Rate per Tonne, Freight Rate',
  hsdPricePerLiter:
    'HSD Rs/L, HSD Price per Ltr, HSD Price, HSD Rate, Diesel Rate, Diesel Price, Price per Ltr, Rate per Ltr, HSD Rate per Ltr',
  hsdAmount: 'HSD Amount, Diesel Amount, डीजल राशि',
  advanceMoney: 'Advance, Advance Money, Cash Advance, Advance Amount, Advance Paid, Cash',
  officeCharges: 'Office, Office Charges, Office Charge, Office Expense, Commission, Other Charges',
  materialRate: 'Material Rate per MT, Material Rate, Material Price, Shortage Rate',
  materialShortageAmount: 'Material Shortage, Material Shortage Amount, Shortage Recovery',
  netAmountPayable: 'Net, Net Amount Payable, Net Amount, Net Payable, Amount Payable',
  withdrawal:
    'Withdrawal Amount, Withdrawals, Withdrawal, Debit, Debit Amount, Debits, Withdrawal (Dr), Withdrawal Amount (Dr), Debit (Dr), Amount (Dr), Dr Amount, Withdrawal/Debit, Debit/Withdrawal, Paid Out, Payments, निकासी, आहरण, नामे',
  deposit:
    'Deposit Amount, Deposits, Deposit, Credit, Credit Amount, Credits, Deposit (Cr), Deposit Amount (Cr), Credit (Cr), Amount (Cr), Cr Amount, Deposit/Credit, Credit/Deposit, Paid In, Receipts, जमा',
  /** The cell says which of the two it is. */
  withdrawalOrDeposit: 'Withdrawal (Dr)/Deposit (Cr), Withdrawal/Deposit, Debit/Credit Amount, Amount (Dr/Cr)',
  balance:
    'Closing Balance, Balance, Running Balance, Balance Amount, Available Balance, Account Balance, Ledger Balance, Book Balance, Balance (Cr/Dr), Balance (Dr/Cr), शेष, शेष राशि',
  openingBalance: 'Opening Balance, Opening',
  outstanding: 'Due, Outstanding',
  totalAmount: 'Total Amount, Bill Amount, राशि, कुल राशि, रकम, कुल रकम',
};

const weights = {
  loadingWeight:
    'Loading, Loading Weight, Load Weight, Loading Qty, Loaded Weight, Dispatch Weight, Challan Weight, Weight, Net Weight, Qty',
  unloadingWeight:
    'Unloading, Unloading Weight, Unload Weight, Unl Weight, Unloading Qty, Unloaded Weight, Received Weight, Receipt Weight',
  discountWeight: 'Discount Weight, Allowed Shortage, Shortage Allowance, Permitted Shortage',
  /** With the truck. No table takes it by itself, because freight is paid for the load alone. */
  grossWeight: 'Gross Weight, Gross',
  tareWeight: 'Tare Weight, Tare',
};

/** The headings whose meaning depends on the table. */
const generalTexts = {
  name: 'Name',
  ledger: 'Ledger',
  particulars: 'Particulars',
  narration: 'Narration',
  description: 'Description, Details, विवरण',
  place: 'Place',
  type: 'Type',
  reference: 'Reference No, Reference',
  paymentStatus: 'Payment Status',
};
const generalDates = { date: 'Date, Date (Value Date), Day, दिनांक, तारीख' };
const generalAmounts = {
  amount: 'Amount, Transaction Amount, Tran Amount',
  /** The heading of the HSD amount in our own challan file. A pump's file may have its liters there. */
  hsd: 'HSD',
};

const general = { ...generalTexts, ...generalDates, ...generalAmounts };
const all = { ...texts, ...dates, ...amounts, ...weights, ...general };
export type HeadingKind = keyof typeof all;
export const isHeadingKind = (name: string): name is HeadingKind => name in all;

/** Words that are written in several ways, and the short one that they are compared by. The longer one comes first. */
const shortWords: Readonly<Record<string, string>> = {
  account: 'ac',
  advance: 'adv',
  amount: 'amt',
  balance: 'bal',
  beneficiary: 'bene',
  cheque: 'chq',
  colour: 'color',
  credit: 'cr',
  date: 'dt',
  debit: 'dr',
  expenses: 'exp',
  expense: 'exp',
  licence: 'license',
  liters: 'ltr',
  liter: 'ltr',
  litres: 'ltr',
  litre: 'ltr',
  ltrs: 'ltr',
  mobile: 'mob',
  number: 'no',
  percentage: 'percent',
  quantity: 'qty',
  reference: 'ref',
  registration: 'reg',
  transaction: 'txn',
  vehicle: 'veh',
  weight: 'wt',
  withdrawl: 'withdrawal',
};
const longWords = new RegExp(Object.keys(shortWords).join('|'), 'g');

/**
 * What headings are compared by: lower case, without spaces and punctuation, with short words. 'T.P. Number' is 'tpno', and so is
 * 'टी०पी० नं' the same as 'टीपी नं'. % and ₹ become words, so that 'TDS %' and 'TDS' are different headings.
 */
export const headingKey = (text: string): string =>
  text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll('%', 'percent')
    .replaceAll('₹', 'rs')
    .replace(/[^\p{L}\p{N}\p{M}]|०/gu, '')
    .replace(longWords, (word) => shortWords[word] ?? word);

/** The unit or format that a heading may end with: 'Debit (in Rs.)', 'Loading Wt MT', 'Date (dd/mm/yyyy)'. */
function endingsOf(kind: HeadingKind): readonly string[] {
  if (kind in amounts || kind in generalAmounts) return ['', 'Rs', 'INR', 'in Rs', 'in INR'];
  if (kind in weights) return ['', 'MT', 'in MT', 'Ton', 'Tons', 'in Tons'];
  return kind in dates || kind in generalDates ? ['', 'dd/mm/yyyy', 'dd/mm/yy', 'dd-mmm-yyyy'] : [''];
}

const keysOf = (kind: HeadingKind): string[] =>
  all[kind].split(', ').flatMap((heading) => endingsOf(kind).map((ending) => headingKey(heading + ending)));

/** The keys of the headings of these kinds, the best one first. */
export const headingKeys = (...kinds: readonly HeadingKind[]): string[] => kinds.flatMap(keysOf);

/** The kind of a heading; undefined where it is not known, or where its meaning depends on the table. */
export function kindOfHeading(heading: string): HeadingKind | undefined {
  // Safe: Object.keys widens to string, but these are the keys of the list.
  const kinds = Object.keys(all) as HeadingKind[];
  return kinds.find((kind) => !(kind in general) && keysOf(kind).includes(headingKey(heading)));
}

let known: ReadonlySet<string> | undefined;
/** Whether a text is a heading of the list, also one whose meaning depends on the table. */
export function isHeading(text: string): boolean {
  // Safe: Object.keys widens to string, but these are the keys of the list.
  known ??= new Set(headingKeys(...(Object.keys(all) as HeadingKind[])));
  return known.has(headingKey(text));
}
