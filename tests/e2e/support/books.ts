import { addDays, dayOf } from '../../../src/shared/calc/dates.ts';
import { monthOf } from '../../../src/shared/calc/day-ranges.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildChallan, buildOwner, buildPump, buildTag, buildTruck } from '../../server/support/builders.ts';
import type { BrowserContext } from 'playwright';
import { openDesk, signIn, type Business, type Desk } from './desk.ts';
import { intoTable } from './keys.ts';

/** A small business at work: two owners with trucks, a tag, a pump, unpaid challans and one payment. */
export async function fillBooks(desk: Desk, business: Business) {
  const call: Desk['call'] = (who, endpoint, args) => desk.call(who, endpoint, args);
  const { data: tag } = await call(business, contract.tags.create, { body: buildTag({ name: 'JODA-PARADIP' }) });
  const { data: pump } = await call(business, contract.petrolPumps.create, {
    body: buildPump({ name: 'Maa Tarini Filling Station Joda' }),
  });
  const owners = [];
  for (const [name, truckNumber] of [
    ['Bikash Mohanta', 'OD09AB1234'],
    ['Sanjukta Naik', 'OD14CD5678'],
  ] as const) {
    const { data: owner } = await call(business, contract.owners.create, { body: buildOwner({ name }) });
    await call(business, contract.trucks.create, { body: buildTruck(owner.id, { truckNumber }) });
    owners.push({ ...owner, truckNumber });
  }
  const challans = [];
  for (let n = 0; n < 12; n += 1) {
    // Two owners were just made.
    const owner = owners[n % 2]!;
    const { data } = await call(business, contract.challans.create, {
      body: buildChallan(
        { ownerId: owner.id, tagId: tag.id },
        {
          ownerName: owner.name,
          ownerContactNumber: owner.contactNumber,
          vehicleNo: owner.truckNumber,
          // As long as those of a district are.
          ...(n === 2 && { tpNo: 'KJR/26-27/0309875' }),
          ...(n % 3 === 0 ? { petrolPumpId: pump.id, hsdPricePerLiter: '92.64', hsdInLiters: '50.00' } : {}),
        },
      ),
    });
    challans.push(data);
  }
  await call(business, contract.bankStatement.markPaid, {
    // Twelve were just made.
    body: { challanIds: [challans[0]!.id, challans[1]!.id] },
  });
  return { tag, pump, owners, challans };
}

/** `count` each of deposits of TDS, files for Tally, from which every unpaid challan differs by now, and packs of closed months. */
export async function fillMonthEnd(desk: Desk, business: Business, count = 1): Promise<void> {
  const today = dayOf(new Date());
  const days = { deductedFrom: today, deductedTo: today };
  let month = monthOf('2026-04-01');
  for (let n = 0; n < count; n += 1) {
    const bank = { depositedOn: today, bsrCode: '0510308', serialNo: String(10_000 + n), amount: '100000.00' };
    await desk.call(business, contract.tdsDeposits.create, { body: { ...bank, ...days } });
    const what = { kind: 'period' as const, from: '2026-04-01', to: today };
    await desk.call(business, contract.tally.create, { body: { what } });
  }
  const act = { kind: 'set' as const, values: { officeCharges: '1.00' } };
  await desk.call(business, contract.challans.changeMany, { body: { selection: { by: 'filter', filters: {} }, act } });
  for (let n = 0; n < count; n += 1) {
    await desk.call(business, contract.monthPacks.create, { body: { month: month.from.slice(0, 7) } });
    month = monthOf(addDays(month.from, -1));
  }
}

type Window = Parameters<Desk['open']>[0] & { prepare?: (context: BrowserContext) => Promise<void> };

/** A desk with one business whose books are filled, and browsers in which it is signed in. */
export async function openBooks() {
  const desk = await openDesk();
  const business = await desk.addBusiness();
  await fillBooks(desk, business);
  const openAt = async (path: string, { prepare, ...size }: Window = {}) => {
    const { page, context } = await desk.open(size);
    await prepare?.(context);
    await signIn(page, desk.appUrl, business);
    const goTo = (next: string) => page.goto(`${desk.appUrl}${next}`);
    await goTo(path);
    return { page, context, goTo };
  };
  /** With the details of the first row of the list open. */
  const openFirstOf = async (path: string, size?: Window) => {
    const opened = await openAt(path, size);
    await intoTable(opened.page);
    await opened.page.keyboard.press('Enter');
    await opened.page.getByRole('dialog').waitFor();
    return opened;
  };
  return { openAt, openFirstOf, fillMonthEnd: () => fillMonthEnd(desk, business), close: () => desk.close() };
}
