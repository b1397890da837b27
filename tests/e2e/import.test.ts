import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { findings } from './support/axe.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';
import { dialogOf, fieldIn, gone, question, said, tabTo, takeOption, typeInto, walkTo } from './support/keys.ts';

/** The import of master data (docs/specification.md §22), by somebody who has no mouse. */

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

async function atImport(business: Business) {
  const { page, context } = await desk.open();
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: desk.appUrl });
  await signIn(page, desk.appUrl, business);
  await page.getByRole('heading', { name: /^Welcome back/ }).waitFor();
  // The browser asks us for the file from now on: a key pressed at once could be quicker than the wish for one.
  page.on('filechooser', () => undefined);
  const press = (keys: string) => page.keyboard.press(keys);
  await press('g');
  await press('i');
  await page.getByRole('heading', { name: 'Import', exact: true }).waitFor();
  return { page, context, press };
}
const totalOf = async (business: Business, what: 'owners' | 'trucks') =>
  (await desk.call(business, contract[what].list, { query: { limit: 10 } })).pagination.totalCount;
const four = (n: number): string => String(n).padStart(4, '0');

/** 300 owners, of whom the first hundred have four trucks and the others three: 1,000. */
function ownersFile(): string {
  const owners = Array.from({ length: 300 }, (_, n) => {
    const trucks = Array.from({ length: n < 100 ? 4 : 3 }, (_truck, at) => `OD ${10 + at} T ${four(n)}`).join('; ');
    // The last PAN has a digit too few.
    const pan = n === 299 ? 'IMPRT299Z' : `IMPRT${four(n)}Z`;
    return [`Owner ${four(n)}`, `98765${four(n)}0`, `00000${four(n)}`, 'SBIN0001234', pan, 'Barbil', trucks, '12'];
  });
  const headings = ['Party Name', 'Mobile No', 'A/C No', 'IFSC', 'PAN', 'Branch', 'Fleet', 'Wheels'];
  const rows = [['Maa Tarini Roadlines'], headings, ...owners];
  return rows.map((row) => row.map((text) => `"${text}"`).join(',')).join('\r\n');
}

describe('by keyboard alone', () => {
  it('300 owners with 1,000 trucks: opened, one column named, one row mended, imported, undone', async () => {
    const business = await desk.addBusiness();
    const { page, context, press } = await atImport(business);
    expect(await findings(page)).toEqual([]);
    const chooser = page.waitForEvent('filechooser');
    await press('o');
    await (await chooser).setFiles({ name: 'owners.csv', mimeType: 'text/csv', buffer: Buffer.from(ownersFile()) });

    await said(page, '7 of 8 columns used · 300 rows');
    expect(await findings(page)).toEqual([]);
    await tabTo(page, fieldIn(page, 'Fleet'));
    await press('Enter');
    await takeOption(page, /^Tr/);
    await said(page, '8 of 8 columns used · 300 rows');
    await press('Control+Enter');
    await said(page, '299 to import · 1 left out');
    expect(await findings(page)).toEqual([]);
    expect(await totalOf(business, 'owners')).toBe(0);

    await press('F8');
    const row = dialogOf(page, 'Row 300');
    await said(page, 'Please enter valid PAN number (e.g., ABCDE1234F)');
    expect(await findings(page)).toEqual([]);
    await typeInto(page, fieldIn(row, 'PAN Number'), 'IMPRT0299Z');
    await press('Enter');
    await gone(row);
    await said(page, '300 to import');
    await press('Control+Enter');
    await page.getByText(/^Import \d{4}-000001: 300 owners and 1,000 trucks from owners\.csv$/).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(await totalOf(business, 'owners')).toBe(300);
    expect(await totalOf(business, 'trucks')).toBe(1_000);

    // The same file once more: nothing is to be done, and the columns are known from the first time.
    const again = page.waitForEvent('filechooser');
    await tabTo(page, page.getByRole('button', { name: 'Choose a file …' }));
    await press('Enter');
    await (await again).setFiles({ name: 'owners.csv', mimeType: 'text/csv', buffer: Buffer.from(ownersFile()) });
    await said(page, '8 of 8 columns used · 300 rows');
    await press('Enter');
    await said(page, '0 to import · 299 unchanged · 1 left out');
    await page.getByText(/^This file was imported on /).waitFor();
    await press('Control+Enter');
    await said(page, 'There is nothing to import: every row is the same, skipped or wrong.');

    const past = page.getByRole('link', { name: 'Past imports and sheets' });
    await tabTo(page, past, 'Shift+Tab');
    await press('Enter');
    const leave = question(page);
    await leave.waitFor();
    await press('Control+Enter');
    await page.getByRole('heading', { name: 'Imports and Sheets' }).waitFor();
    await walkTo(page, '300 owners and 1,000 trucks from owners.csv');
    expect(await findings(page)).toEqual([]);
    await press('u');
    await page.getByRole('alertdialog').waitFor();
    await press('Control+Enter');
    await page
      .getByText(/undone: 1,300 records taken back$/)
      .first()
      .waitFor();
    expect(await totalOf(business, 'owners')).toBe(0);
    expect(await totalOf(business, 'trucks')).toBe(0);
    await context.close();
  });

  it('pasted tags: one is there already and is changed, one is left out', async () => {
    const business = await desk.addBusiness();
    await desk.call(business, contract.tags.create, { body: { name: 'Joda', color: '#112233', description: 'Mines' } });
    const { page, context, press } = await atImport(business);
    await tabTo(page, fieldIn(page, 'Records'));
    await press('Enter');
    await takeOption(page, /^Ta/);
    await said(page, 'Recognised columns: Name, Color, Description.');
    await page.evaluate(() => navigator.clipboard.writeText('Tag\tDetails\nJODA\tIron ore\nKoira\t\nX\tshort'));
    await press('Escape');
    await tabTo(page, page.getByRole('button', { name: 'Choose a file …' }));
    await press('Control+v');
    await said(page, '2 of 2 columns used · 3 rows');
    await press('Control+Enter');
    await said(page, '1 to import · 2 left out');
    await tabTo(page, fieldIn(page, 'Show'));
    await press('Enter');
    await press('Home');
    await press('Enter');
    await walkTo(page, 'JODA');
    await press('a');
    await said(page, 'A second record is not possible: this can exist only once');
    await press('m');
    await said(page, '2 to import · 1 left out');
    await press('Control+Enter');
    await page.getByText(/: 2 tags from Pasted rows$/).waitFor();
    const { data } = await desk.call(business, contract.tags.list, {});
    expect(data.map(({ name, color, description }) => [name, color, description]).toSorted()).toEqual([
      ['JODA', '#112233', 'Iron ore'],
      ['Koira', '#3B82F6', ''],
    ]);
    await context.close();
  });

  it('past challans: opened, a tag that is not found created, imported with their payments, undone', async () => {
    const business = await desk.addBusiness();
    const owner = { name: 'Ram Das', contactNumber: '9876543210', accountNo: '0001', panNo: 'IMPRT0001Z' };
    await desk.call(business, contract.owners.create, { body: { ...owner, branchName: 'Barbil' } });
    await desk.call(business, contract.tags.create, { body: { name: 'Joda', color: '#112233' } });
    const headings = [
      'TP No,Loading Date,Unloading Date,Deposited On,Truck No,Material,Owner,Mobile,Tag,From,To,Loading MT,Unloading MT',
      'Rate,TDS %,Cash Advance,Office Charges,Paid On,UTR',
    ].join(',');
    const rows = Array.from({ length: 60 }, (_, n) => {
      const paid = n % 3 === 0 ? '' : `${n % 3 === 1 ? '20' : '21'}/04/2024,UTR${n}`;
      const places = `${n < 50 ? 'Joda' : 'Koira'},Joda,Paradip,25,24.90`;
      const trip = `TP-${n},10/04/2024,11/04/2024,12/04/2024,OD09T${four(n)},Iron ore,Ram Das,9876543210,${places}`;
      return `${trip},1000,1,5000,,${paid || ','}`;
    });
    const file = {
      name: 'past.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from([headings, ...rows].join('\r\n')),
    };
    const summaryOf = async () => (await desk.call(business, contract.challans.list, { query: { limit: 10 } })).summary;

    const { page, context, press } = await atImport(business);
    await tabTo(page, fieldIn(page, 'Records'));
    await press('Enter');
    await takeOption(page, /^Pa/);
    await page.getByText(/^Recognised columns: TP No, .*Paid On, Payment Reference/).waitFor();
    await press('Escape');
    await tabTo(page, page.getByRole('button', { name: 'Choose a file …' }));
    const chooser = page.waitForEvent('filechooser');
    await press('Enter');
    await (await chooser).setFiles(file);
    await said(page, '19 of 19 columns used · 60 rows');
    await press('Control+Enter');
    await said(page, '50 to import · 10 left out');
    await page.getByRole('complementary', { name: 'Not found' }).waitFor();
    expect(await findings(page)).toEqual([]);

    await tabTo(page, page.getByRole('button', { name: 'Create tag Koira' }));
    await press('Enter');
    const form = dialogOf(page, 'Add New Tag');
    await form.waitFor();
    await press('Control+Enter');
    await gone(form);
    await said(page, '60 to import');
    await press('Control+Enter');
    await page.getByText(/^Import \d{4}-000001: 60 past challans \(40 paid\) from past\.csv$/).waitFor();
    expect(await summaryOf()).toMatchObject({ totalCount: 60, paidCount: 40, unpaidCount: 20 });
    const payments = await desk.call(business, contract.paymentBatches.list, { query: { limit: 10 } });
    expect(payments.data.map(({ kind, updatedCount }) => [kind, updatedCount])).toEqual([
      ['import', 20],
      ['import', 20],
    ]);

    await tabTo(page, page.getByRole('button', { name: 'Undo' }), 'Shift+Tab');
    await press('Enter');
    await question(page).waitFor();
    await press('Control+Enter');
    await page
      .getByText(/undone: 60 records taken back$/)
      .first()
      .waitFor();
    expect((await summaryOf()).totalCount).toBe(0);
    await context.close();
  });

  it('opening balances: opened, a name that is not found mapped, imported, undone', async () => {
    const business = await desk.addBusiness();
    const owner = { contactNumber: '9876543210', accountNo: '0001', panNo: 'IMPRT0001Z', branchName: 'Barbil' };
    for (const name of ['Ram Das', 'Sita Naik']) {
      await desk.call(business, contract.owners.create, { body: { ...owner, name } });
    }
    const { data: owners } = await desk.call(business, contract.owners.list, { query: { limit: 10 } });
    const openingsOf = (name: string) =>
      desk
        .call(business, contract.ownerStatements.listOpenings, {
          params: { id: owners.find((one) => one.owner.name === name)?.owner.id ?? '' },
        })
        .then(({ data }) => data.map(({ asOf, amount, note }) => [asOf, amount, note]));
    const rows = ['Old Book 2026', 'Party Name,As On,Amount,Narration', 'Ram Das,31/03/2026,"1,500.50 Dr",Page 4'];
    const buffer = Buffer.from([...rows, 'Sita Nayak,31/03/2026,900,'].join('\r\n'));

    const { page, context, press } = await atImport(business);
    await page.goto(`${desk.appUrl}/accounting/opening-balances`);
    await page.getByText('No rows pasted yet').waitFor();
    await tabTo(page, page.getByRole('link', { name: 'import', exact: true }));
    await press('Enter');
    await page.getByText(/^Recognised columns: Owner.*, At the End of, Balance, Debit, Credit, Note\.$/).waitFor();
    expect(await findings(page)).toEqual([]);
    const chooser = page.waitForEvent('filechooser');
    await press('o');
    await (await chooser).setFiles({ name: 'old-book.csv', mimeType: 'text/csv', buffer });
    await said(page, '4 of 4 columns used · 2 rows');
    await press('Control+Enter');
    await said(page, '1 to import · 1 left out');
    await tabTo(page, page.getByRole('button', { name: 'Map owner Sita Nayak to another' }));
    await press('Enter');
    const dialog = dialogOf(page, 'Map owner “Sita Nayak” to');
    await dialog.waitFor();
    await typeInto(page, fieldIn(dialog, 'Owner'), 'Sita N');
    await takeOption(page, /^Sita Naik/);
    await press('Control+Enter');
    await gone(dialog);
    await said(page, '2 to import');
    expect(await findings(page)).toEqual([]);
    await press('Control+Enter');
    await page.getByText(/^Import \d{4}-000001: 2 opening balances from old-book\.csv$/).waitFor();
    expect(await openingsOf('Ram Das')).toEqual([['2026-03-31', '-1500.50', 'Page 4']]);
    expect(await openingsOf('Sita Naik')).toEqual([['2026-03-31', '900.00', '']]);

    await tabTo(page, page.getByRole('button', { name: 'Undo' }), 'Shift+Tab');
    await press('Enter');
    await question(page).waitFor();
    await press('Control+Enter');
    await page
      .getByText(/undone: 2 records taken back$/)
      .first()
      .waitFor();
    expect((await openingsOf('Sita Naik')).map(([, amount]) => amount)).toEqual(['0.00', '900.00']);
    await context.close();
  });

  it('the first steps of a business, with sample data that is taken out in one act', async () => {
    const business = await desk.addBusiness();
    const { page, context } = await desk.open();
    const press = (keys: string) => page.keyboard.press(keys);
    await signIn(page, desk.appUrl, business);
    await said(page, 'First steps');
    await said(page, '1 of 6 done');
    expect(await findings(page)).toEqual([]);
    const ways = page.getByRole('link', { name: /^The first challan: / });
    expect(await ways.evaluateAll((all) => all.map((way) => way.getAttribute('href')))).toEqual([
      '/challans/create',
      '/challans/sheet',
      '/import?kind=challans',
    ]);

    await tabTo(page, page.getByRole('button', { name: 'Hide', exact: true }));
    await press('Enter');
    await page.getByRole('heading', { name: 'First steps' }).waitFor({ state: 'detached' });
    await tabTo(page, page.getByRole('button', { name: 'Show the first steps' }));
    await press('Enter');
    await said(page, 'First steps');

    await tabTo(page, page.getByRole('button', { name: 'Try with sample data' }));
    await press('Enter');
    await said(page, 'There is sample data in your books');
    expect(await findings(page)).toEqual([]);
    expect(await totalOf(business, 'trucks')).toBe(4);
    await tabTo(page, page.getByRole('button', { name: 'Remove it' }), 'Shift+Tab');
    await press('Enter');
    await question(page).waitFor();
    await press('Control+Enter');
    await page
      .getByText(/undone: 16 records taken back$/)
      .first()
      .waitFor();
    await said(page, '1 of 6 done');
    expect(await totalOf(business, 'owners')).toBe(0);

    await tabTo(page, page.getByRole('link', { name: 'Trucks: Paste or import' }));
    await press('Enter');
    await said(page, 'Recognised columns: Truck Number, Owner Name, Owner PAN, Wheels, Vehicle Type.');
    await context.close();
  });
});
