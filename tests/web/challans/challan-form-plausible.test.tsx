import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addDays, formatDate } from '../../../src/shared/calc/dates.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { noteServerTime } from '../../../src/web/kit/api/server-clock.ts';
import { today } from '../../../src/web/kit/forms/day-field.tsx';
import { emptiest, foreignAnswer } from '../support/fake-server.ts';
import {
  create,
  field,
  fillChallan,
  findLastRate,
  formDesk,
  goTo,
  keys,
  list,
  openEdit,
  openNew,
  remember,
  storedChallan,
  type,
  type FormDesk,
} from '../support/challan-form.ts';
import { closeApp, page } from '../support/screen.tsx';

/** Values that are hardly ever meant: a warning at the field and above the button (docs/specification.md §8.3.5). */
let desk: FormDesk;
beforeEach(() => {
  desk = formDesk();
});
afterEach(closeApp);

const notice = (text: string) => page.getByRole('status').filter({ hasText: text });
const save = () => keys('{Control>}s{/Control}');
const created = () => desk.calls(create);
const daysFromNow = (days: number) => formatDate(addDays(today(), days));

describe('a weight', () => {
  const both = '259.00 MT unloaded is more than the 25.21 MT loaded: check both.';

  it('of 259.00 MT unloaded where 25.21 MT was loaded is warned about, and saved all the same', async () => {
    await openNew();
    await fillChallan();
    await type('Loading Weight (MT)', '25.21');
    await type('Unloading Weight (MT)', '259.0');
    await expect
      .element(field('Unloading Weight (MT)'))
      .toHaveAccessibleDescription(`Unloading Weight 259.00 MT is above 60 MT: check it. ${both}`);
    await expect.element(notice(both)).toBeVisible();
    await save();
    await expect.poll(created).toHaveLength(1);
    await expect.element(notice(both)).not.toBeInTheDocument();
  });

  it('is warned about when its field is left, not while it is typed, and no longer once it is right', async () => {
    await openNew();
    await type('Loading Weight (MT)', '25.21');
    goTo('Unloading Weight (MT)');
    await keys('259');
    await expect.element(field('Unloading Weight (MT)')).toHaveValue('259');
    expect(notice(both).elements()).toEqual([]);
    await keys('{Enter}');
    await expect.element(notice(both)).toBeVisible();
    await type('Unloading Weight (MT)', '25.20');
    await expect.element(notice(both)).not.toBeInTheDocument();
    await expect.element(field('Unloading Weight (MT)')).not.toHaveAccessibleDescription();
  });
});

it('an advance above the freight', async () => {
  await openNew();
  await fillChallan();
  await type('Advance Money', '32100.01');
  const sentence = 'The advance of ₹32,100.01 is more than the freight of ₹32,100.00: check both.';
  await expect.element(field('Advance Money')).toHaveAccessibleDescription(sentence);
  await type('Advance Money', '32100');
  await expect.element(notice(sentence)).not.toBeInTheDocument();
});

describe('the rate', () => {
  const sentence = 'The last challan from Talcher to Paradip has ₹100.00 per MT: check the rate.';
  beforeEach(() =>
    desk.serve(findLastRate, ({ query }) => ({
      data: query.loadingPlace === 'Talcher' ? { ratePerMT: '100.00' } : null,
    })),
  );

  it('is compared with the last one of the route, also where both were remembered', async () => {
    remember({ loadingPlace: 'Talcher', unloadingPlace: 'Paradip', ratePerMT: '1000' });
    await openNew();
    await expect.element(field('Rate per MT')).toHaveAccessibleDescription(sentence);
    await type('Rate per MT', '299.99');
    await expect.element(notice(sentence)).not.toBeInTheDocument();
    await type('Rate per MT', '300');
    await expect.element(notice(sentence)).toBeVisible();
    await type('Loading Place', 'Joda');
    await expect.element(notice(sentence)).not.toBeInTheDocument();
  });

  it('of a challan that is edited is compared once it is changed, and never with the challan itself', async () => {
    await openEdit();
    await type('Remarks', 'Wet');
    expect(notice('check').elements()).toEqual([]);
    await type('Rate per MT', '1001');
    await expect.element(notice(sentence)).toBeVisible();
    expect(desk.asks(findLastRate).map(({ excludeId }) => excludeId)).toContain(storedChallan.id);
  });
});

describe('a day far from today', () => {
  it.each([
    ['after tomorrow', 2, '2 days ahead of today'],
    ['more than a year ago', -366, '366 days ago'],
  ])('%s is taken with a warning', async (_name, days, warning) => {
    await openNew();
    await fillChallan();
    await type('Loading Date', daysFromNow(days));
    const sentence = `Loading Date ${daysFromNow(days)} is ${warning}: check it.`;
    await expect.element(field('Loading Date')).toHaveAccessibleDescription(sentence);
    await expect.element(notice(sentence)).toBeVisible();
    await type('Deposited On', daysFromNow(Math.max(days, 0)));
    await save();
    await expect.poll(created).toHaveLength(1);
  });

  it('tomorrow and a year ago are near enough', async () => {
    await openNew();
    for (const days of [1, -365]) {
      await type('Loading Date', daysFromNow(days));
      await expect.element(field('Loading Date')).toHaveValue(daysFromNow(days));
      await expect.element(field('Loading Date')).not.toHaveAccessibleDescription();
    }
  });

  it("is a day by the server's clock, where this machine's is a year behind", async () => {
    const inAYear = new Date(Date.now() + 400 * 86_400_000);
    const machinesDay = today();
    try {
      desk.serve(list, () => {
        const answer = foreignAnswer({ success: true, ...emptiest(contract.challans.list.answer) });
        answer.headers.set('date', inAYear.toUTCString());
        return answer;
      });
      await openNew();
      await expect.poll(today).toBe(addDays(machinesDay, 400));
      await type('Loading Date', formatDate(machinesDay));
      await expect.element(notice(`Loading Date ${formatDate(machinesDay)} is 400 days ago: check it.`)).toBeVisible();
    } finally {
      noteServerTime(new Date().toUTCString());
    }
  });
});

it('letters that look like digits are asked about at the TP number and the vehicle, and saved all the same', async () => {
  await openNew();
  await fillChallan();
  await type('TP No', '2611OO328356');
  await expect
    .element(field('TP No'))
    .toHaveAccessibleDescription('TP No 2611OO328356 has letters: is 261100328356 meant?');
  await type('Vehicle No', 'ODO9AB1234');
  await expect.element(field('Vehicle No')).toHaveAccessibleDescription(/is OD09AB1234 meant\?/);
  await type('Vehicle No', 'OD 09 AB 1234');
  await save();
  await expect.poll(created).toHaveLength(1);
});
