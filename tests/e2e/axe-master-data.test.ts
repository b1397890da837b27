import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { buildChallan, buildOwner, buildPump, buildTag, buildTruck } from '../server/support/builders.ts';
import { examine } from './support/axe.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';
import { dialogOf, fieldIn, gone, intoTable, question, said, typeInto, walkTo } from './support/keys.ts';

/**
 * Every screen and dialog of access, master data and dashboard, in both themes: axe finds nothing
 * (docs/specification.md §19.5).
 */

let desk: Desk;
let business: Business;
let source: Business;
let admin: { email: string; password: string };
beforeAll(async () => {
  desk = await openDesk();
  admin = await desk.addAdmin();
  business = await desk.addBusiness('Maa Tarini Roadlines');
  const { data: owner } = await desk.call(business, contract.owners.create, {
    body: buildOwner({ name: 'Bikash Mohanta', address: '' }),
  });
  await desk.call(business, contract.trucks.create, { body: buildTruck(owner.id) });
  const { data: tag } = await desk.call(business, contract.tags.create, {
    body: buildTag({ description: 'x'.repeat(90) }),
  });
  await desk.call(business, contract.petrolPumps.create, { body: buildPump() });
  await desk.call(business, contract.challans.create, {
    body: buildChallan({ ownerId: owner.id, tagId: tag.id }, { ownerName: owner.name }),
  });
  source = await desk.addBusiness('Shree Balaji Carriers');
  const { data: theirs } = await desk.call(source, contract.owners.create, { body: buildOwner({ name: 'Fleet' }) });
  await desk.call(source, contract.trucks.create, { body: buildTruck(theirs.id) });
  // Copied already: the next time it is left out, and the screen says so.
  await desk.call(business, contract.owners.copy, { body: { ownerIds: [theirs.id] } });
});
afterAll(() => desk.close());

describe('in both themes axe finds nothing', () => {
  const rows = (page: Page) => page.getByRole('gridcell').first().waitFor();
  const close = async (page: Page, dialog: Locator) => {
    await page.keyboard.press('Escape');
    await gone(dialog);
  };

  it('on the sign-in screens, with their messages and alert, and where a role has no access', async () => {
    await examine(desk, async (page, judge) => {
      for (const path of ['/login', '/adminlogin']) {
        await page.goto(desk.appUrl + path);
        await page.getByLabel('Email').waitFor();
        await judge(path);
        await page.keyboard.press('Enter');
        await page.getByText(/^Please enter your (admin )?email$/).waitFor();
        await judge(`${path}, a field in error`);
        await page.keyboard.type('nobody@challan.test');
        await page.keyboard.press('Tab');
        await page.keyboard.type('not it');
        await page.keyboard.press('Enter');
        await page.getByText('Login Failed').waitFor();
        await judge(`${path}, failed`);
      }
      await page.goto(`${desk.appUrl}/unauthorized`);
      await said(page, 'Unauthorized Access');
      await judge('/unauthorized');
    });
  });

  it('on the screens and dialogs of the admin', async () => {
    await examine(desk, async (page, judge) => {
      await page.goto(`${desk.appUrl}/adminlogin`);
      await page.getByLabel('Email').fill(admin.email);
      await page.getByLabel(/^Password/).fill(admin.password);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/admin/subadmins');
      await rows(page);
      await judge('/admin/subadmins');
      await page.keyboard.press('n');
      const adding = dialogOf(page, 'Add New Subadmin');
      await adding.waitFor();
      await judge('Add New Subadmin');
      await page.keyboard.press('Control+Enter');
      await said(page, 'Please enter banner name');
      await judge('Add New Subadmin, fields in error');
      await close(page, adding);
      await intoTable(page);
      await page.keyboard.press('e');
      const editing = dialogOf(page, 'Edit Subadmin');
      await typeInto(page, fieldIn(editing, 'Office Address'), 'Another road');
      await judge('Edit Subadmin');
      await page.keyboard.press('Escape');
      await question(page).waitFor();
      await judge('Close without saving?');
      await page.keyboard.press('Control+Enter');
      await gone(editing);
      await intoTable(page);
      await page.keyboard.press('Enter');
      const details = page.getByRole('dialog');
      await details.getByText('Role', { exact: true }).waitFor();
      await judge('the details of a sub-admin');
      await close(page, details);
      await page.keyboard.press('Delete');
      await question(page).waitFor();
      await judge('the question before a delete');
      await close(page, question(page));
      await page.goto(`${desk.appUrl}/dashboard`);
      await said(page, 'Welcome back, Admin!');
      await page.getByText('Total Subadmins').waitFor();
      await judge('/dashboard');
    });
  });

  it('on the owners: list, search without a match, four modes and delete', async () => {
    await examine(desk, async (page, judge) => {
      await signIn(page, desk.appUrl, business);
      await page.goto(`${desk.appUrl}/owners`);
      await rows(page);
      await judge('/owners');
      await page.keyboard.press('n');
      const adding = dialogOf(page, 'Add New Owner');
      await adding.waitFor();
      await judge('Add New Owner');
      await page.keyboard.press('Control+Enter');
      await said(page, 'Please enter owner name');
      await judge('Add New Owner, fields in error');
      await close(page, adding);
      await walkTo(page, 'Bikash Mohanta');
      await page.keyboard.press('e');
      const editing = dialogOf(page, 'Edit Owner');
      await editing.waitFor();
      await judge('Edit Owner');
      await close(page, editing);
      await walkTo(page, 'Bikash Mohanta');
      await page.keyboard.press('Enter');
      const details = dialogOf(page, 'Bikash Mohanta');
      await details.getByText('Banking Information').waitFor();
      await judge('the owner');
      await close(page, details);
      await walkTo(page, 'Bikash Mohanta');
      await page.keyboard.press('t');
      const trucks = dialogOf(page, 'Trucks of Bikash Mohanta');
      await trucks.getByRole('cell').first().waitFor();
      await judge('its trucks');
      await close(page, trucks);
      await walkTo(page, 'Fleet');
      await page.keyboard.press('Delete');
      await question(page).waitFor();
      await judge('the question before a delete');
      await close(page, question(page));
      await walkTo(page, 'Bikash Mohanta');
      await page.keyboard.press('Delete');
      await said(page, 'Cannot delete owner "Bikash Mohanta". It has 1 challan(s).');
      await judge('a refusal in its toast');
      await page.keyboard.press('/');
      await page.keyboard.type('nobody');
      await said(page, 'No owners match “nobody”');
      await judge('no match');
    });
  });

  it('on copying owners: list, selection, owner, confirmation and what was left out', async () => {
    await examine(desk, async (page, judge) => {
      const { data: fresh } = await desk.call(source, contract.owners.create, {
        body: buildOwner({ name: `Convoy ${Date.now()}` }),
      });
      await signIn(page, desk.appUrl, business);
      await page.goto(`${desk.appUrl}/owners/copy?search=Shree%20Balaji%20Carriers`);
      await rows(page);
      await judge('/owners/copy');
      await walkTo(page, 'Fleet');
      await page.keyboard.press('Enter');
      const card = dialogOf(page, 'Fleet');
      await card.getByText('Banking Information').waitFor();
      await judge('the owner');
      await close(page, card);
      await walkTo(page, fresh.name);
      await page.keyboard.press('Space');
      await page.getByText('1 selected').waitFor();
      await judge('a selection');
      await page.keyboard.press('c');
      const asking = dialogOf(page, 'Copy Selected Owners');
      await asking.waitFor();
      await judge('the confirmation');
      // A colleague is quicker.
      await desk.call(business, contract.owners.copy, { body: { ownerIds: [fresh.id] } });
      await page.keyboard.press('Control+Enter');
      await dialogOf(page, 'Not everything was copied').waitFor();
      await judge('what was left out');
      await page.goto(`${desk.appUrl}/owners/copied`);
      await rows(page);
      await judge('/owners/copied');
    });
  });

  it('on the trucks, the tags and the petrol pumps with their dialogs', async () => {
    await examine(desk, async (page, judge) => {
      await signIn(page, desk.appUrl, business);
      const screens = [
        { path: '/trucks', add: 'Add New Truck', edit: 'Edit Truck', view: 'Enter' },
        { path: '/tags', add: 'Add New Tag', edit: 'Edit Tag', view: 'u' },
        { path: '/petrol-pumps', add: 'Add New Petrol Pump', edit: 'Edit Petrol Pump', view: 'Enter' },
      ];
      for (const { path, add, edit, view } of screens) {
        await page.goto(desk.appUrl + path);
        await rows(page);
        await judge(path);
        await intoTable(page);
        await page.keyboard.press('Space');
        await page.getByText('1 selected').waitFor();
        await page.keyboard.press('m');
        await question(page).getByRole('combobox', { name: 'What to do' }).waitFor();
        await judge(`the change of what is selected on ${path}`);
        await close(page, question(page));
        await page.keyboard.press('Escape');
        await page.keyboard.press('n');
        const adding = dialogOf(page, add);
        await adding.waitFor();
        if (path === '/trucks') {
          await typeInto(page, fieldIn(adding, 'Owner Name'), 'bik');
          await page.getByRole('option', { name: /Bikash Mohanta/ }).waitFor();
          await judge(`${add}, its picker open`);
          await page.keyboard.press('Escape');
        }
        await page.keyboard.press('Control+Enter');
        await adding
          .getByText(/^Please enter/)
          .first()
          .waitFor();
        await judge(`${add}, fields in error`);
        await page.keyboard.press('Escape');
        if (path === '/trucks' && (await question(page).isVisible())) await page.keyboard.press('Control+Enter');
        await gone(adding);
        await walkTo(page, '');
        await page.keyboard.press('e');
        await dialogOf(page, edit).waitFor();
        await judge(edit);
        await close(page, dialogOf(page, edit));
        await walkTo(page, '');
        await page.keyboard.press(view);
        await page.getByRole('dialog').getByText('Updated').first().waitFor();
        await judge(`the details of ${path}`);
        await close(page, page.getByRole('dialog'));
        await walkTo(page, '');
        await page.keyboard.press('Delete');
        if (path === '/tags') {
          // It is in use: refused before anybody is asked.
          await page.getByRole('alert').filter({ hasText: 'Cannot delete tag' }).waitFor();
          await judge('the refusal on the tags page');
        } else {
          await question(page).waitFor();
          await judge(`the question before a delete of ${path}`);
        }
      }
    });
  });

  it('on the palette, the keys, the menus and the empty screens', async () => {
    await examine(desk, async (page, judge) => {
      const empty = await desk.addBusiness();
      await signIn(page, desk.appUrl, empty);
      for (const path of ['/owners', '/trucks', '/tags', '/petrol-pumps']) {
        await page.goto(desk.appUrl + path);
        await page.getByText(/^No .* yet$/).waitFor();
        await judge(`${path}, nothing yet`);
      }
      await page.keyboard.press('Control+K');
      await page.getByRole('option').first().waitFor();
      await judge('the palette');
      await page.keyboard.type('zz');
      await said(page, 'No results.');
      await judge('the palette, nothing found');
      await close(page, page.getByRole('dialog'));
      await page.keyboard.press('?');
      await dialogOf(page, 'Help').waitFor();
      await judge('the keys');
      await close(page, dialogOf(page, 'Help'));
      await page.getByRole('button', { name: /^Account/ }).click();
      await page.getByRole('menuitem', { name: 'Logout' }).waitFor();
      await judge('the user menu');
      await page.keyboard.press('Escape');
      // Its first state depends on the window; the other state is tested here.
      await page.getByRole('button', { name: /^(Collapse|Expand) sidebar$/ }).click();
      await judge('the sidebar the other way');
    });
  });
});
