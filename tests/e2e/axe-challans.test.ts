import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, it, vi } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { examine } from './support/axe.ts';
import { fillBooks } from './support/books.ts';
import { openDesk, signIn, signInByForm, type Business, type Desk } from './support/desk.ts';
import { dialogOf, gone, intoTable, question, said } from './support/keys.ts';

/**
 * The states and dialogs of challans, accounting and payments, in both themes: axe finds nothing
 * (docs/specification.md §19.5). Accounting, the shared reports, HSD verification and the profile are examined beside
 * their own flows; here is what those do not come by.
 */
// Up to twenty halts in one walk, and axe takes its second at each.
vi.setConfig({ testTimeout: 240_000 });

let desk: Desk;
let business: Business;
let books: Awaited<ReturnType<typeof fillBooks>>;
beforeAll(async () => {
  desk = await openDesk();
  business = await desk.addBusiness('Maa Tarini Roadlines');
  books = await fillBooks(desk, business);
});
afterAll(() => desk.close());

const rows = (page: Page) => page.getByRole('gridcell').first().waitFor();
const close = async (page: Page, dialog: Locator) => {
  await page.keyboard.press('Escape');
  await gone(dialog);
};
/** The details beside the list of the row in focus, until the key that shows them hides them again. */
async function besideList(page: Page, judge: (name: string) => Promise<void>, fact: string): Promise<void> {
  await page.keyboard.press('i');
  const panel = page.locator('#details-beside');
  await panel.getByText(fact).first().waitFor();
  await judge('the details beside the list');
  await page.keyboard.press('i');
  await gone(panel);
}
const field = (page: Page, name: string) => page.locator(`form [name="${name}"]`);
/** Into a field of the challan form as the keyboard gets there, typed over and left. */
async function type(page: Page, name: string, text: string): Promise<void> {
  await field(page, name).focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(text);
  await page.keyboard.press('Tab');
}
async function openForm(page: Page, path: string): Promise<void> {
  await page.goto(desk.appUrl + path);
  await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.name === 'tpNo');
}
const answerWith = (status: number, body: object) => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify({ success: false, requestId: 'request-1', ...body }),
});

describe('in both themes axe finds nothing', () => {
  it('on the challan list: filters, selection, details, questions, nothing found, not loaded', async () => {
    await examine(desk, async (page, judge) => {
      await signIn(page, desk.appUrl, business);
      await page.goto(`${desk.appUrl}/challans`);
      await rows(page);
      const tp = page.getByRole('textbox', { name: 'TP No' });
      if (!(await tp.isVisible())) await page.keyboard.press('f');
      await tp.waitFor();
      await judge('the filter panel');
      await page.getByRole('combobox', { name: 'Owner' }).focus();
      await page.keyboard.type('bikash');
      await page.getByRole('option', { name: /Bikash Mohanta/ }).waitFor();
      await judge('its owner picker');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Columns and density' }).focus();
      await page.keyboard.press('Enter');
      await page
        .getByRole('dialog', { name: 'Columns and density' })
        .getByRole('checkbox', { name: 'Material', exact: true })
        .waitFor();
      await judge('the list of columns');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Save as a view' }).focus();
      await page.keyboard.press('Enter');
      const naming = dialogOf(page, 'Save as a view');
      await naming.getByRole('textbox', { name: 'Name of the view' }).waitFor();
      await judge('the name of a view');
      await close(page, naming);
      await page.goto(`${desk.appUrl}/challans?paymentStatus=unpaid&tagId=${books.tag.id}`);
      await rows(page);
      if (await tp.isVisible()) await page.keyboard.press('f');
      await page.getByRole('button', { name: 'Remove filter: Unpaid' }).waitFor();
      await judge('hidden filters as chips');
      await intoTable(page);
      await page.keyboard.press('Shift+ArrowDown');
      await page.getByText('2 selected').first().waitFor();
      await judge('two rows selected');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Alt+Shift+ArrowRight');
      await page.locator('.cd-sums').getByText('Count').waitFor();
      await judge('a range of cells in a selected row');
      await page.keyboard.press('Escape');
      await page.keyboard.press('m');
      await question(page)
        .getByRole('heading', { name: /^Change 2 challans/ })
        .waitFor();
      await judge('the change of the selected challans');
      await close(page, question(page));
      await page.keyboard.press('p');
      await question(page)
        .getByText(/marked paid in one payment/)
        .waitFor();
      await judge('its preview of a payment');
      await close(page, question(page));
      await page.keyboard.press('Escape');
      await besideList(page, judge, 'Net Amount Payable');
      await page.keyboard.press('p');
      await said(page, 'Payment status marked as done');
      await judge('a row that has left the filter, with its toast');
      await page.keyboard.press('p');
      await said(page, 'Payment status unmarked');
      await page.keyboard.press('Enter');
      const details = page.getByRole('dialog');
      await details.getByText('Net Amount Payable').first().waitFor();
      await judge('the details');
      await close(page, details);
      await page.keyboard.press('Delete');
      await question(page).waitFor();
      await judge('the question before a delete');
      await close(page, question(page));
      await page.goto(`${desk.appUrl}/challans?tpNo=nothing`);
      await page.getByRole('button', { name: 'Reset Filters' }).first().waitFor();
      await judge('nothing matches');
      await page.goto(`${desk.appUrl}/challans?open=00000000-0000-4000-8000-000000000000`);
      await page.getByRole('dialog').getByText('Challan not found').waitFor();
      await judge('a challan that is gone');
      let count = (): void => undefined;
      const counted = new Promise<void>((resolve) => (count = resolve));
      await page.route('**/api/challans/sums**', async (route) => {
        await counted;
        await route.fulfill(answerWith(503, { code: 'SERVICE_UNAVAILABLE', message: 'The database is away' }));
      });
      // No roll-up has the challan numbers, and there are more than ten challans.
      await page.goto(`${desk.appUrl}/challans?challanNumber=CH&limit=10`);
      await page.getByText('1-10, counting …').waitFor();
      await judge('still counting');
      count();
      await page.getByText('1-10, could not be counted').waitFor();
      await judge('not counted');
      await page.route('**/api/challans?**', (route) =>
        route.fulfill(answerWith(503, { code: 'SERVICE_UNAVAILABLE', message: 'The database is away' })),
      );
      await page.goto(`${desk.appUrl}/challans`);
      await page.getByRole('button', { name: 'Retry' }).waitFor();
      await judge('not loaded');
    });
  });

  it('on a new challan: filled in, in error, its pickers, calendar and dialogs, and the draft', async () => {
    await examine(desk, async (page, judge) => {
      await signIn(page, desk.appUrl, business);
      await openForm(page, '/challans/create');
      await page.keyboard.press('Control+s');
      await page.getByText(/^There are \d+ problems$/).waitFor();
      await judge('the error summary');
      await field(page, 'loadingDate').focus();
      await page.keyboard.press('F4');
      await page.getByRole('dialog', { name: 'Calendar, Loading Date' }).getByRole('grid').waitFor();
      await judge('the calendar');
      await page.keyboard.press('Escape');
      await type(page, 'vehicleNo', 'OD09AB1234');
      await said(page, 'Owner and vehicle details loaded: Bikash Mohanta');
      await judge('the owner of the vehicle');
      await type(page, 'tpNo', books.challans[0]?.tpNo ?? '');
      await said(page, 'This TP No is already on another challan');
      await judge('the same TP on another challan');
      for (const [name, text] of Object.entries({ loadingWeight: '10', unloadingWeight: '9.5', ratePerMT: '100' })) {
        await type(page, name, text);
      }
      for (const [name, text] of Object.entries({ tdsPercentage: '1', advanceMoney: '5000', officeCharges: '0' })) {
        await type(page, name, text);
      }
      await judge('a net below zero, line by line');
      await type(page, 'vehicleNo', 'OD 99 ZZ 0001');
      await page.getByText('Not among your trucks.').waitFor();
      await judge('an unknown vehicle');
      await field(page, 'vehicleNo').focus();
      await page.keyboard.press('Alt+c');
      await dialogOf(page, 'Add New Truck').waitFor();
      await judge('Add New Truck');
      await close(page, dialogOf(page, 'Add New Truck'));
      for (const [name, title] of [
        ['ownerName', 'Add New Owner'],
        ['discounter', 'Add New Owner'],
        ['tag', 'Add New Tag'],
        ['petrolPump', 'Add New Petrol Pump'],
      ] as const) {
        await field(page, name).focus();
        await page.keyboard.press('Control+A');
        await page.keyboard.type('Nobody of that name');
        await page.getByRole('option', { name: /^Create / }).waitFor();
        await judge(`the picker ${name}, nothing found`);
        await page.keyboard.press('Alt+c');
        await dialogOf(page, title).waitFor();
        await judge(`${title} from ${name}`);
        await close(page, dialogOf(page, title));
      }
      await page.keyboard.press('Control+Shift+l');
      await said(page, 'Form cleared. Ready for new challan!');
      await judge('cleared, with Undo');
      await type(page, 'remarks', 'Wet load');
      await page.waitForFunction(() => Object.keys(localStorage).some((key) => key.includes('draft:challan.create')));
      await page.keyboard.press('Escape');
      await question(page).waitFor();
      await judge('the question before leaving');
      await close(page, question(page));
      await page.reload();
      await page.getByRole('button', { name: 'Restore' }).waitFor();
      await judge('the offered draft');
    });
  });

  it('on a stored challan: edit, paid and changed, changed by another, gone', async () => {
    await examine(desk, async (page, judge) => {
      await signIn(page, desk.appUrl, business);
      const [paid, , open] = books.challans;
      await openForm(page, `/challans/edit/${open?.id}`);
      await judge('Edit Challan');
      await type(page, 'remarks', 'Mine');
      await desk.call(business, contract.challans.update, {
        params: { id: open?.id ?? '' },
        body: { remarks: 'Theirs' },
      });
      await page.keyboard.press('Control+s');
      await page
        .getByText(/This challan/)
        .first()
        .waitFor();
      await judge('changed by another meanwhile');
      await openForm(page, `/challans/edit/${paid?.id}`);
      await type(page, 'advanceMoney', '1');
      await page.keyboard.press('Control+s');
      await question(page).waitFor();
      await judge('changing the amounts of a paid challan');
      await page.keyboard.press('Escape');
      await page.goto(`${desk.appUrl}/challans/edit/00000000-0000-4000-8000-000000000000`);
      await said(page, 'Challan not found');
      await judge('a challan that is gone');
    });
  });

  it('on the bank statement: expanded, selected, both steps of the payment and its refusals', async () => {
    await examine(desk, async (page, judge) => {
      await signIn(page, desk.appUrl, business);
      await page.goto(`${desk.appUrl}/accounting/bank-statement`);
      await rows(page);
      await page.getByRole('button', { name: 'Expand All' }).click();
      await page
        .getByRole('gridcell', { name: /CH-\d{4}-000003/ })
        .first()
        .waitFor();
      await judge('all owners expanded');
      await page.getByRole('button', { name: /^Select All Matching/ }).click();
      await page
        .getByText(/^10 selected/)
        .first()
        .waitFor();
      await judge('everything that matches selected');
      await intoTable(page);
      await page.keyboard.press('Space');
      await page
        .getByText(/excluded/)
        .first()
        .waitFor();
      await judge('with exclusions');
      await page.keyboard.press('m');
      await dialogOf(page, 'Mark challans as paid').waitFor();
      await judge('step 1');
      // One route for both refusals: a route that replaces another may let the next call through to the server, and pay.
      let refusal = answerWith(503, { code: 'SERVICE_UNAVAILABLE', message: 'The database is away' });
      await page.route('**/bulk-payment-status', (route) => route.fulfill(refusal));
      await page.keyboard.press('Control+Enter');
      await page.getByRole('button', { name: 'No, Cancel' }).waitFor();
      await judge('step 2');
      await page.getByRole('button', { name: 'Yes, Mark Selected as Paid', disabled: false }).waitFor();
      await page.keyboard.press('Control+Enter');
      await question(page).getByText('The database is away').waitFor();
      await judge('step 2, failed');
      refusal = answerWith(409, {
        code: 'SELECTION_CHANGED',
        message: 'The matching challans have changed',
        data: { count: 0, totalAmount: '0.00' },
      });
      await page.keyboard.press('Control+Enter');
      await page.getByText('The matching challans have changed meanwhile').waitFor();
      await judge('step 1 again: nothing is left');
      await close(page, dialogOf(page, 'Mark challans as paid'));
      await page.keyboard.press('Escape');
      await said(page, 'Selection cleared');
      await judge('cleared, with Undo');
      await page.goto(`${desk.appUrl}/accounting/bank-statement?tagId=none`);
      await said(page, 'No unpaid challans found matching current filters');
      await judge('nothing matches');
      await page.route('**/api/challans/bank-report/owners?**', (route) => route.fulfill(answerWith(500, {})));
      await page.goto(`${desk.appUrl}/accounting/bank-statement`);
      await page.getByText('Failed to fetch bank statement').first().waitFor();
      await judge('not loaded');
      await page.unroute('**/api/challans/bank-report/owners?**');
      let answer = (): void => undefined;
      const answered = new Promise<void>((resolve) => {
        answer = resolve;
      });
      await page.route('**/api/challans/bank-report?**', async (route) => {
        await answered;
        await route.fulfill(answerWith(500, {}));
      });
      await page.goto(`${desk.appUrl}/accounting/bank-statement`);
      // A click before the owners are there waits for them, but not for as long as a busy machine may take.
      await rows(page);
      await page.getByRole('button', { name: 'Expand All' }).click();
      await page.getByRole('gridcell', { name: 'Loading' }).first().waitFor();
      await judge('challans being loaded');
      answer();
      await page.getByRole('gridcell', { name: 'Not loaded' }).first().waitFor();
      await judge('challans not loaded');
    });
  });

  it('on the payments: the details, undoing one, and one that is undone', async () => {
    await examine(desk, async (page, judge) => {
      const { data } = await desk.call(business, contract.bankStatement.markPaid, {
        body: { challanIds: books.challans.slice(4, 6).map(({ id }) => id) },
      });
      await signIn(page, desk.appUrl, business);
      await page.goto(`${desk.appUrl}/accounting/payments`);
      await intoTable(page);
      await besideList(page, judge, 'Paid At');
      await page.keyboard.press('Enter');
      const details = page.getByRole('dialog');
      await details.getByRole('gridcell').first().waitFor();
      await judge('the details of a payment');
      await page.keyboard.press('u');
      await question(page).waitFor();
      await judge('undoing it');
      await page.keyboard.press('Control+Enter');
      await question(page)
        .getByText(/reason/i)
        .last()
        .waitFor();
      await judge('undoing it without a reason');
      await page.keyboard.press('Escape');
      await gone(question(page));
      await desk.call(business, contract.paymentBatches.reverse, {
        params: { id: data.batchId ?? '' },
        body: { reason: 'Paid by cheque' },
      });
      await page.reload();
      await page.getByText('Paid by cheque').first().waitFor();
      await judge('a payment that was undone');
      await page.goto(`${desk.appUrl}/accounting/payments`);
      await rows(page);
      await judge('the list with an undone payment');
    });
  });

  it('on what the other screens say when something is missing or refused', async () => {
    await examine(desk, async (page, judge) => {
      const elsewhere = await desk.open();
      await signInByForm(elsewhere.page, desk.appUrl, business);
      await elsewhere.context.close();
      await signIn(page, desk.appUrl, business);
      await page.goto(`${desk.appUrl}/profile`);
      await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
      await question(page).waitFor();
      await judge('Sign out everywhere else?');
      await close(page, question(page));
      await page.route('**/api/subadmins/profile', (route) =>
        route.fulfill(answerWith(404, { code: 'NOT_FOUND', message: 'Not found' })),
      );
      await page.reload();
      await said(page, 'Profile Not Found');
      await judge('Profile Not Found');
      await page.goto(`${desk.appUrl}/accounting?search=nobody`);
      await said(page, 'No owners found matching "nobody"');
      await judge('accounting: no owner found');
      const give = async (name: string, text: string): Promise<void> => {
        await page.goto(`${desk.appUrl}/hsd-verification`);
        const [chooser] = await Promise.all([
          page.waitForEvent('filechooser'),
          page.getByRole('button', { name: /Choose the petrol pump's file/ }).click(),
        ]);
        await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
      };
      await give('pump.csv', 'a,b\n1,2\n');
      await page.getByRole('region', { name: 'Choose the columns' }).waitFor();
      await judge('a file whose columns are to be chosen');
      await give('pump.xlsx', '%PDF-1.7 no workbook');
      await page.getByRole('alert').waitFor();
      await judge('a file that is refused');
    });
    await examine(desk, async (page, judge) => {
      await signIn(page, desk.appUrl, await desk.addBusiness());
      for (const path of ['/challans', '/accounting', '/accounting/bank-statement', '/accounting/payments']) {
        await page.goto(desk.appUrl + path);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page
          .getByText(/ yet$|Nobody is owed anything/)
          .first()
          .waitFor();
        await judge(`${path}, nothing yet`);
      }
    });
  });
});
