import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contract } from '../../src/shared/contract/index.ts';
import { mostSheetRows } from '../../src/shared/contract/challan-sheet.ts';
import { buildChallan, buildOwner, buildTag } from '../server/support/builders.ts';
import { openDesk, signIn, type Business, type Desk } from './support/desk.ts';
import { fieldIn, intoTable, question, said, typeInto } from './support/keys.ts';

/** A selection that acts (docs/specification.md §8.8), by keyboard alone. */
let desk: Desk;
beforeAll(async () => {
  desk = await openDesk();
});
afterAll(() => desk.close());

const counted = (count: number): string => count.toLocaleString('en-IN');

async function makeChallans(business: Business, count: number) {
  const { data: owner } = await desk.call(business, contract.owners.create, { body: buildOwner() });
  const { data: before } = await desk.call(business, contract.tags.create, { body: buildTag({ name: 'JODA OLD' }) });
  const { data: after } = await desk.call(business, contract.tags.create, { body: buildTag({ name: 'KOIRA NEW' }) });
  for (let made = 0; made < count; made += mostSheetRows) {
    const rows = Array.from({ length: Math.min(mostSheetRows, count - made) }, (_, n) => ({
      key: String(made + n),
      ...buildChallan({ ownerId: owner.id, tagId: before.id }, { ownerName: owner.name }),
    }));
    await desk.call(business, contract.challans.createMany, { body: { rows, mode: 'all' } });
  }
  return { before, after };
}

describe('the challan list', () => {
  it('re-tags 2,000 challans and takes it back, by keyboard alone', { timeout: 120_000 }, async () => {
    const business = await desk.addBusiness();
    const { before, after } = await makeChallans(business, 2_000);
    const tagged = async (tagId: string): Promise<number> =>
      (await desk.call(business, contract.challans.list, { query: { tagId, limit: 1 } })).pagination.totalCount;
    expect(await tagged(before.id)).toBe(2_000);

    const { page, context } = await desk.open();
    await signIn(page, desk.appUrl, business);
    await page.goto(`${desk.appUrl}/challans`);
    await intoTable(page);
    await page.keyboard.press('Control+A');
    await page
      .getByText(/^\d+ selected/)
      .first()
      .waitFor();
    await page.keyboard.press('Control+A');
    await page
      .getByText(`${counted(2_000)} selected`)
      .first()
      .waitFor();
    await page.keyboard.press('m');
    // Each challan of the builder comes to 19,551.00.
    await question(page).getByRole('heading', { name: 'Change 2,000 challans, ₹3,91,02,000.00' }).waitFor();
    await typeInto(page, fieldIn(question(page), 'Tag'), 'KOIRA');
    await page.getByRole('option', { name: 'KOIRA NEW' }).waitFor();
    await page.keyboard.press('Enter');
    await question(page).getByText('Net changes by ₹0.00 on 2,000 challans.', { exact: true }).waitFor();
    // New figures do not take a press of the first moment for an answer.
    await expect
      .poll(
        async () => {
          await page.keyboard.press('Control+Enter');
          return tagged(after.id);
        },
        { timeout: 30_000, interval: 1_000 },
      )
      .toBe(2_000);
    await said(page, '2,000 challans changed');
    expect(await tagged(before.id)).toBe(0);

    await page.keyboard.press('Control+Z');
    await page
      .getByText(/^Change \d{4}-000001 undone: 2,000 challans as before$/)
      .first()
      .waitFor();
    expect([await tagged(before.id), await tagged(after.id)]).toEqual([2_000, 0]);
    await context.close();
  });
});
