import { afterAll, beforeAll, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import type { Owner } from '../../src/shared/contract/owners.ts';
import { buildOwner, buildTruck } from '../server/support/builders.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';
import { dialogOf, gone, said, untilOnRow, walkTo } from './support/keys.ts';

/** Copy owners (docs/specification.md §6.4), by somebody who has no mouse. */

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const ownersOf = async (business: Business) =>
  (await desk.call(business, contract.owners.list, { query: { limit: 100 } })).data;

it('owners are chosen over pages and searches, confirmed with totals; what was copied and left out is shown', async () => {
  const source = await desk.addBusiness(`Balaji Carriers ${Date.now()}`);
  const made: Owner[] = [];
  for (let n = 1; n <= 12; n += 1) {
    const { data } = await desk.call(source, contract.owners.create, {
      body: buildOwner({
        name: `Fleet ${String(n).padStart(2, '0')}`,
        accountNo: `000123400${n + 10}`,
        panNo: `ABCPF12${n + 10}K`,
      }),
    });
    if (n % 2 === 0) await desk.call(source, contract.trucks.create, { body: buildTruck(data.id) });
    made.push(data);
  }
  const business = await desk.addBusiness();
  // So high that ten rows fit.
  const { page, context } = await desk.open({ height: 640 });
  const press = (keys: string) => page.keyboard.press(keys);
  await signIn(page, desk.appUrl, business);
  await page.getByRole('heading', { name: /^Welcome back/ }).waitFor();
  await press('Alt+4');
  await page.getByRole('button', { name: /^Copy Selected Owners \(0\)/ }).waitFor();
  await press('/');
  await page.keyboard.type(source.bannerName);
  await said(page, '12 owners match');
  await page.getByText('Fleet 01', { exact: true }).waitFor();
  await press('ArrowDown');
  await untilOnRow(page, 'Fleet 01');
  await press('Space');
  await press('ArrowDown');
  await press('Space');
  // The second page, and another search: what was chosen stays chosen.
  await press('Alt+PageDown');
  await page.getByText('Fleet 11', { exact: true }).waitFor();
  await walkTo(page, 'Fleet 12');
  await press('Space');
  await press('/');
  await press('Control+A');
  await page.keyboard.type('Fleet 05');
  // What was typed of it by a pause finds more than one.
  await expect
    .poll(async () => [...new Set(await page.getByText(/^Fleet \d\d$/).allTextContents())])
    .toEqual(['Fleet 05']);
  await press('ArrowDown');
  await walkTo(page, source.bannerName);
  await press('Enter');
  const card = dialogOf(page, 'Fleet 05');
  await card.getByText(`Belongs to ${source.bannerName}`).waitFor();
  const shown = await card.textContent();
  expect(shown).toContain(`•${made[4]?.accountNo.slice(-4)}`);
  expect(shown).not.toContain(made[4]?.accountNo);
  await press('s');
  await press('Escape');
  await gone(card);
  await page.getByRole('button', { name: /^Copy Selected Owners \(4\)/ }).waitFor();
  await press('c');
  const asking = dialogOf(page, 'Copy Selected Owners');
  await asking
    .getByText(/^The selected owners and their trucks are copied to your account\. The originals stay unchanged/)
    .waitFor();
  await expect.poll(() => asking.getByRole('listitem').allTextContents()).toHaveLength(4);
  await press('Escape');
  await gone(asking);
  expect(await ownersOf(business)).toEqual([]);
  await press('c');
  await asking.waitFor();
  await press('Control+Enter');
  await said(page, 'Successfully copied 4 owners and 2 trucks');
  await gone(asking);
  const mine = await ownersOf(business);
  expect(mine.map(({ owner, trucksCount }) => [owner.name, owner.accountNo, owner.panNo, trucksCount])).toEqual(
    [0, 1, 4, 11].map((n) => [made[n]?.name, made[n]?.accountNo, made[n]?.panNo, (n + 1) % 2 === 0 ? 1 : 0]),
  );

  // Once more, with one that is new.
  await press('/');
  await press('Control+A');
  await page.keyboard.type(source.bannerName);
  await said(page, '12 owners match');
  await page.getByText('Fleet 01', { exact: true }).waitFor();
  // Into the table: to the row that was left, and to the first.
  await press('ArrowDown');
  await untilOnRow(page, 'Fleet 05');
  await press('Control+Home');
  await untilOnRow(page, 'Fleet 01');
  // One that is in the list already is not chosen again; the row says why.
  await press('Space');
  await page.getByRole('status').filter({ hasText: 'This owner was copied before and is in your list' }).waitFor();
  await walkTo(page, 'Fleet 03');
  await press('Space');
  await walkTo(page, 'Fleet 04');
  await press('Space');
  await page.getByRole('button', { name: /^Copy Selected Owners \(2\)/ }).waitFor();
  // A colleague copies one of the two in between.
  const fourth = made[3]?.id ?? '';
  await desk.call(business, contract.owners.copy, { body: { ownerIds: [fourth] } });
  await press('c');
  await asking.waitFor();
  await press('Control+Enter');
  await said(page, 'Owner copy failed: "Fleet 04" was copied before and is in your list');
  await said(page, 'Successfully copied 1 owners and 0 trucks');
  const left = dialogOf(page, 'Not everything was copied');
  await left.waitFor();
  await press('Enter');
  await gone(left);
  expect(await ownersOf(business)).toHaveLength(6);
  expect((await ownersOf(source)).map(({ owner }) => owner)).toEqual(made);
  await context.close();
});
