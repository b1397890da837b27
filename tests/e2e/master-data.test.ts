import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { buildChallan, buildOwner, buildTag, buildTruck } from '../server/support/builders.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';
import { dialogOf, fieldIn, gone, question, said, tabTo, typeAll, typeInto, untilOnRow } from './support/keys.ts';

/** The master data of a business (docs/specification.md §6 and §7), by somebody who has no mouse. */

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

async function atWork(business: Business) {
  const { page, context } = await desk.open();
  await signIn(page, desk.appUrl, business);
  await page.getByRole('heading', { name: /^Welcome back/ }).waitFor();
  return { page, context, press: (keys: string) => page.keyboard.press(keys) };
}
const ownersOf = async (business: Business) =>
  (await desk.call(business, contract.owners.list, { query: { limit: 100 } })).data;

const ravi = {
  'Owner Name': 'Ravi Roadlines',
  'Contact Number': '94370 12345',
  'Account Number': '00098765432',
  'IFSC Code': 'sbin0001234',
  'PAN Number': 'abcps1234k',
  'Branch Name': 'Barbil',
};

describe('by keyboard alone', () => {
  it('owners: create, search, edit, view, trucks, and both rules of delete', async () => {
    const business = await desk.addBusiness();
    const { page, context, press } = await atWork(business);
    await press('Alt+2');
    await page.getByRole('heading', { name: 'Owners', exact: true }).waitFor();
    await said(page, 'No owners yet');

    // What is wrong is said when the field is left, and the focus is taken to the first of it on saving.
    await press('n');
    const adding = dialogOf(page, 'Add New Owner');
    await typeAll(page, adding, { 'PAN Number': 'abc', 'IFSC Code': 'sbin', Address: '' });
    await said(page, 'Please enter valid PAN number (e.g., ABCDE1234F)');
    await said(page, 'IFSC code should be 11 characters');
    await press('Control+Enter');
    await said(page, 'Please enter owner name');
    await page.waitForFunction(() => document.activeElement?.getAttribute('name') === 'name');
    expect(await ownersOf(business)).toEqual([]);
    await typeAll(page, adding, ravi);
    await expect.poll(() => fieldIn(adding, 'IFSC Code').inputValue()).toBe('SBIN0001234');
    await press('Control+Enter');
    await said(page, 'Owner created successfully');
    await gone(adding);
    expect((await ownersOf(business)).map(({ owner }) => owner)).toMatchObject([
      {
        name: 'Ravi Roadlines',
        contactNumber: '9437012345',
        address: '',
        accountNo: '00098765432',
        ifsc: 'SBIN0001234',
        panNo: 'ABCPS1234K',
      },
    ]);
    await untilOnRow(page, 'Ravi Roadlines');
    await page.getByRole('gridcell', { name: 'Not provided' }).waitFor();
    const sanjukta = await desk.call(business, contract.owners.create, { body: buildOwner({ name: 'Sanjukta Naik' }) });

    // View: everything; the trucks of one without any are refused with the reason.
    await press('Enter');
    const details = dialogOf(page, 'Ravi Roadlines');
    for (const text of ['Basic Information', 'Banking Information', '00098765432', 'Created', 'Updated']) {
      await details.getByText(text, { exact: true }).first().waitFor();
    }
    await press('Escape');
    await gone(details);
    await untilOnRow(page, 'Ravi Roadlines');
    await press('t');
    await said(page, 'This owner has no trucks');

    // Edit sends what was changed.
    const put = page.waitForRequest((request) => request.method() === 'PUT');
    await press('e');
    await typeAll(page, dialogOf(page, 'Edit Owner'), { Address: 'NH 520, Joda' });
    await press('Control+Enter');
    await said(page, 'Owner updated successfully');
    expect((await put).postDataJSON()).toEqual({ address: 'NH 520, Joda', version: 1 });
    await untilOnRow(page, 'Ravi Roadlines');

    // The search acts by itself from two characters; Down goes into what it found.
    await press('/');
    await page.keyboard.type('s');
    await said(page, 'Type at least 2 characters');
    await page.keyboard.type('an');
    await said(page, '1 of the owners matches');
    await press('ArrowDown');
    await untilOnRow(page, 'Sanjukta Naik');

    // With a truck: the list of it, and a delete that says it goes along.
    const id = sanjukta.data.id;
    await desk.call(business, contract.trucks.create, { body: buildTruck(id, { truckNumber: 'OD09ZZ0001' }) });
    await press('/');
    await press('Escape');
    await page.getByRole('gridcell', { name: 'Ravi Roadlines', exact: true }).waitFor();
    await page.keyboard.type('zz0001');
    await said(page, '1 of the owners matches');
    await press('ArrowDown');
    await untilOnRow(page, 'Sanjukta Naik');
    await press('t');
    const trucks = dialogOf(page, 'Trucks of Sanjukta Naik');
    await trucks.getByRole('cell', { name: 'OD09ZZ0001' }).waitFor();
    await press('Escape');
    await gone(trucks);
    await press('Delete');
    await question(page)
      .getByText(/Its truck is deleted with it\./)
      .waitFor();
    await press('Escape');
    await gone(question(page));

    // Named by a challan it stays; without, it goes with its truck.
    const { data: tag } = await desk.call(business, contract.tags.create, { body: buildTag() });
    const { data: challan } = await desk.call(business, contract.challans.create, {
      body: buildChallan({ ownerId: id, tagId: tag.id }, { ownerName: 'Sanjukta Naik' }),
    });
    await untilOnRow(page, 'Sanjukta Naik');
    // The server is asked first: nobody is asked about what cannot be done.
    await press('Delete');
    await said(page, 'Cannot delete owner "Sanjukta Naik". It has 1 challan(s).');
    expect(await ownersOf(business)).toHaveLength(2);
    await desk.call(business, contract.challans.remove, { params: { id: challan.id } });
    await untilOnRow(page, 'Sanjukta Naik');
    await press('Delete');
    await tabTo(page, question(page).getByRole('button', { name: 'Delete' }));
    await press('Enter');
    await said(page, 'Owner deleted successfully');
    await said(page, 'No owners match “zz0001”');
    const { data: left } = await desk.call(business, contract.trucks.list, { query: {} });
    expect(left).toEqual([]);
    expect((await ownersOf(business)).map(({ owner }) => owner.name)).toEqual(['Ravi Roadlines']);
    await context.close();
  });

  it('trucks: the owner is searched in the form, made there if need be; search, view, edit, delete', async () => {
    const business = await desk.addBusiness();
    await desk.call(business, contract.owners.create, { body: buildOwner({ name: 'Bikash Mohanta' }) });
    const { page, context, press } = await atWork(business);
    await press('Alt+5');
    await said(page, 'No trucks yet');
    await press('n');
    const adding = dialogOf(page, 'Add New Truck');
    await adding.waitFor();
    await press('Control+Enter');
    for (const text of ['Please enter truck number', 'Please select an owner', 'Please enter number of wheels']) {
      await said(page, text);
    }
    await typeInto(page, fieldIn(adding, 'Truck Number'), 'od 09 ab 1234');
    await press('Tab');
    await page.keyboard.type('bik');
    await page.getByRole('option', { name: /Bikash Mohanta/ }).waitFor();
    await press('Enter');
    await expect.poll(() => fieldIn(adding, 'Owner Name').inputValue()).toBe('Bikash Mohanta');
    await typeInto(page, fieldIn(adding, 'Wheels'), '12');
    await press('Control+Enter');
    await said(page, 'Truck created successfully');
    await gone(adding);
    await untilOnRow(page, 'OD 09 AB 1234');

    // The owner of the next one is not there yet: made in place, and chosen.
    await press('n');
    await typeInto(page, fieldIn(adding, 'Truck Number'), 'OD 14 CD 5678');
    await tabTo(page, fieldIn(adding, 'Owner Name'));
    await page.keyboard.type('Ravi Roadlines');
    await page.getByRole('option', { name: /Create owner/ }).waitFor();
    await press('Alt+C');
    const owner = dialogOf(page, 'Add New Owner');
    await typeAll(page, owner, ravi);
    await press('Control+Enter');
    await gone(owner);
    await page.waitForFunction(() => (document.activeElement as HTMLInputElement | null)?.value === 'Ravi Roadlines');
    await typeAll(page, adding, { Wheels: '14', 'Vehicle Type': 'Trailer' });
    await press('Control+Enter');
    await gone(adding);
    await untilOnRow(page, 'OD 14 CD 5678');

    // The same number in another writing is refused beside its field.
    await press('n');
    await typeInto(page, fieldIn(adding, 'Truck Number'), 'od-14-cd-5678');
    await tabTo(page, fieldIn(adding, 'Owner Name'));
    await page.keyboard.type('ravi');
    await page.getByRole('option', { name: /Ravi Roadlines/ }).waitFor();
    await press('Enter');
    await typeInto(page, fieldIn(adding, 'Wheels'), '6');
    await press('Control+Enter');
    await page
      .getByText(/OD.14.CD.5678.* already/i)
      .first()
      .waitFor();
    await adding.waitFor();
    await press('Escape');
    await question(page).getByRole('heading', { name: 'Close without saving?' }).waitFor();
    await press('Control+Enter');
    await gone(adding);
    await untilOnRow(page, 'OD 14 CD 5678');

    await press('/');
    await page.keyboard.type('09ab');
    await said(page, '1 of the trucks matches');
    await press('ArrowDown');
    await untilOnRow(page, 'OD 09 AB 1234');
    await press('Enter');
    const details = dialogOf(page, 'Truck OD 09 AB 1234');
    await details.getByRole('link', { name: 'Bikash Mohanta' }).waitFor();
    await details.getByText('Not provided', { exact: true }).waitFor();
    await press('e');
    await typeAll(page, dialogOf(page, 'Edit Truck'), { Wheels: '16' });
    await press('Control+Enter');
    await said(page, 'Truck updated successfully');
    await details.getByText('16', { exact: true }).waitFor();
    await press('Escape');
    await gone(details);
    await untilOnRow(page, 'OD 09 AB 1234');
    await press('Delete');
    await question(page).waitFor();
    await press('Control+Enter');
    await said(page, 'Truck deleted successfully');
    const { data } = await desk.call(business, contract.trucks.list, { query: {} });
    expect(data.map(({ truckNumber, owner: its }) => [truckNumber, its.name])).toEqual([
      ['OD 14 CD 5678', 'Ravi Roadlines'],
    ]);
    await context.close();
  });

  it('tags: colour, usage, the delete that is refused while challans use it, and the message that goes by itself', async () => {
    const business = await desk.addBusiness();
    const { page, context, press } = await atWork(business);
    await press('Alt+3');
    await said(page, 'No tags yet');
    await press('n');
    const adding = dialogOf(page, 'Add New Tag');
    await typeInto(page, fieldIn(adding, 'Tag Name'), 'J');
    await press('Tab');
    await said(page, 'Tag name must be at least 2 characters');
    await typeInto(page, fieldIn(adding, 'Tag Name'), '  JODA-PARADIP ');
    await expect.poll(() => fieldIn(adding, 'Color').inputValue()).toBe('#3B82F6');
    await tabTo(page, adding.getByRole('button', { name: 'Red', exact: true }));
    await press('Enter');
    await typeInto(page, fieldIn(adding, 'Description'), `Iron ore fines, ${'on the road to the port, '.repeat(4)}`);
    await press('Control+Enter');
    await said(page, 'Tag created successfully');
    await gone(adding);
    await untilOnRow(page, 'JODA-PARADIP');
    const [tag] = (await desk.call(business, contract.tags.list, { query: {} })).data;
    expect(tag).toMatchObject({ name: 'JODA-PARADIP', color: '#EF4444' });
    const cut = page.getByText(`${tag?.description.slice(0, 60)}…`, { exact: true });
    await expect.poll(() => cut.getAttribute('title')).toBe(tag?.description);

    const { data: owner } = await desk.call(business, contract.owners.create, { body: buildOwner() });
    const tagId = tag?.id ?? '';
    const { data: challan } = await desk.call(business, contract.challans.create, {
      body: buildChallan({ ownerId: owner.id, tagId }, { ownerName: owner.name }),
    });
    await press('u');
    const usage = dialogOf(page, 'Usage Statistics: JODA-PARADIP');
    await usage.getByText('Total Challans').waitFor();
    const inUse = 'Cannot delete tag "JODA-PARADIP". It is currently assigned to 1 challan(s).';
    await usage.getByText(inUse).waitFor();
    await press('Escape');
    await gone(usage);
    await untilOnRow(page, 'JODA-PARADIP');
    await press('Delete');
    const alert = page.getByRole('alert').filter({ hasText: inUse });
    await alert.waitFor();
    expect((await desk.call(business, contract.tags.list, { query: {} })).data).toHaveLength(1);
    // By itself, after 5 seconds.
    await gone(alert);

    await desk.call(business, contract.challans.remove, { params: { id: challan.id } });
    await untilOnRow(page, 'JODA-PARADIP');
    await press('e');
    const editing = dialogOf(page, 'Edit Tag');
    await typeInto(page, fieldIn(editing, 'Tag Name'), 'BARBIL-DHAMRA');
    await press('Control+Enter');
    await said(page, 'Tag updated successfully');
    await untilOnRow(page, 'BARBIL-DHAMRA');
    await press('Delete');
    await question(page).waitFor();
    await press('Control+Enter');
    await said(page, 'Tag deleted successfully');
    await said(page, 'No tags yet');
    await context.close();
  });

  it('petrol pumps: add, edit, and delete with the stated question', async () => {
    const business = await desk.addBusiness();
    const { page, context, press } = await atWork(business);
    await press('Alt+0');
    await said(page, 'No petrol pumps yet');
    await tabTo(page, page.getByRole('button', { name: /^Add Petrol Pump/ }).first());
    await press('Enter');
    const adding = dialogOf(page, 'Add New Petrol Pump');
    await typeAll(page, adding, { Name: 'x', 'Contact Number': '123', Address: 'abc' });
    for (const text of [
      'Name must be at least 2 characters',
      'Please enter a valid 10-digit contact number',
      'Address must be at least 5 characters',
    ]) {
      await said(page, text);
    }
    await typeAll(page, adding, { Name: ' HP Joda ', 'Contact Number': '91234 56789', Address: ' Main Road ' });
    await press('Control+S');
    await said(page, 'Petrol pump created successfully!');
    await gone(adding);
    await untilOnRow(page, 'HP Joda');
    await press('e');
    const editing = dialogOf(page, 'Edit Petrol Pump');
    await typeInto(page, fieldIn(editing, 'Name'), 'Maa Tarini Filling Station');
    await press('Enter');
    await said(page, 'Petrol pump updated successfully!');
    expect((await desk.call(business, contract.petrolPumps.list, { query: {} })).data).toMatchObject([
      { name: 'Maa Tarini Filling Station', contactNumber: '9123456789', address: 'Main Road' },
    ]);
    await press('/');
    await page.keyboard.type('tarini');
    await said(page, '1 of the petrol pumps matches');
    await press('ArrowDown');
    await untilOnRow(page, 'Maa Tarini Filling Station');
    await press('Delete');
    await question(page)
      .getByText('Are you sure you want to delete this petrol pump? This action cannot be undone.', { exact: true })
      .waitFor();
    await press('Control+Enter');
    await said(page, 'Petrol pump deleted successfully!');
    await context.close();
  });
});
