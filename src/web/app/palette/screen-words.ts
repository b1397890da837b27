import { allScreens, screens } from '../../screens.ts';
import { pages } from '../pages.ts';
import type { ScreenId } from '../../../shared/contract/nouns.ts';

/** Words that lead to a screen in the palette: what is done there, and what other programs call it. */
const words: Readonly<Partial<Record<ScreenId, string>>> = {
  dashboard: 'home overview summary analytics start',
  owners: 'party vendor transporter supplier contacts',
  tags: 'label category',
  copyOwners: 'directory other business share',
  copiedOwners: 'directory from to whom when who',
  trucks: 'vehicles fleet lorry plate',
  challans: 'trips delivery slips export list invoice bills',
  createChallan: 'create challan trip slip entry',
  challanSheet: 'paste excel many challans bulk spreadsheet',
  exceptions: 'unusual shortage overload overlap twice late anomaly fine route plot',
  accounting: 'balance outstanding ledger ageing export unpaid dues',
  openingBalances: 'owner statement old book import paste',
  bankStatement: 'pay payment payout settle dues unpaid neft export',
  payments: 'paid history receipt voucher export batch',
  toRelease: 'prepared second person approve limit sent back withdraw',
  bankFiles: 'neft rtgs imps upload transfer export pay',
  bankLines: 'bank file line utr sent waiting unanswered',
  bankAnswer: 'reverse file statement paste utr executed failed returned match reconcile',
  bankAnswers: 'bank undo failed returned',
  tds: 'tax deducted quarter financial year pan threshold section export',
  tdsDeductions: 'tax deducted challans quarter financial year pan',
  declarations: 'tds nil no deduction owner goods carriages lapse withdraw form',
  tdsDeposits: 'tax bsr due month quarter return',
  closeMonth: 'lock period pack accountant archive zip control totals checklist backup',
  tally: 'export xml ledger journal voucher masters accountant books',
  tallyChanged: 'tally export again deleted reversed difference',
  sharedReports: 'whatsapp link share owner page',
  petrolPumps: 'diesel fuel hsd station',
  hsdVerification: 'diesel fuel pump bill check match reconcile',
  pumpLedger: 'diesel fuel hsd billed verified disputed month petrol pump',
  import: 'excel csv upload paste owners trucks tags petrol pumps',
  pastImports: 'batch undo past history',
  profile: 'password account backup export everything archive take out settings',
  people: 'user clerk accountant auditor seat role invite login staff',
  activity: 'who did what audit log history day person',
  bankAccounts: 'paying account ifsc layout neft',
  bankLayouts: 'bank file format fields columns',
};

const byPath = new Map(Object.entries(words).map(([id, text]) => [screens[id as ScreenId].path, text]));
/** The command that leads to a screen under an id of its own. */
const ownIds = new Map(
  allScreens.flatMap(({ id, path }) => {
    const own = pages[id].goTo?.id;
    return own ? [[own, path]] : [];
  }),
);

/** The further words of the way to a screen; none for other actions. */
export const screenWords = (actionId: string): string =>
  byPath.get(ownIds.get(actionId) ?? actionId.replace(/^go\./, '')) ?? '';
