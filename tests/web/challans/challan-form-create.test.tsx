import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addDays, formatDate } from '../../../src/shared/calc/dates.ts';
import { contract } from '../../../src/shared/contract/index.ts';
import { requiredMessages } from '../../../src/shared/calc/challan-rules.ts';
import { today } from '../../../src/web/kit/forms/day-field.tsx';
import { idOf, referenceOf } from '../support/builders.ts';
import {
  addTruck,
  button,
  coal,
  create,
  field,
  fillChallan,
  findDuplicates,
  focusOn,
  focused,
  formDesk,
  goTo,
  keys,
  lookUp,
  openNew,
  pump,
  ravi,
  remember,
  storageKey,
  storedChallan,
  tarini,
  type,
  type FormDesk,
} from '../support/challan-form.ts';
import { offline, refusal } from '../support/fake-server.ts';
import { closeApp, page, userEvent } from '../support/screen.tsx';

let desk: FormDesk;
beforeEach(() => {
  desk = formDesk();
});
afterEach(closeApp);

const summary = () => page.getByRole('alert');
const bar = () => page.getByRole('list', { name: 'Net amount line by line' });
const created = () => page.getByText('Challan created successfully! Challan Number: CH-2627-000041');

/** Ctrl+S as soon as this is true, in the same turn: a second press by mistake, however slow the machine. */
const saveAtOnceWhen = (isTrue: () => boolean): Promise<void> =>
  expect
    .poll(() => {
      if (!isTrue()) return false;
      const press = { key: 's', code: 'KeyS', ctrlKey: true, bubbles: true, cancelable: true };
      return !document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', press));
    })
    .toBe(true);

async function walk(key: string, most = 40): Promise<string[]> {
  const seen = [focused()];
  for (let step = 0; step < most; step += 1) {
    await keys(key);
    const now = focused();
    if (now === seen.at(-1)) break;
    seen.push(now);
    if (now === 'Create Challan') break;
  }
  return seen;
}

const paperOrder = [
  'TP No',
  'Loading Date',
  'Unloading Date',
  'Vehicle No',
  'Material',
  'Owner Name',
  'Owner Contact Number',
  'Discounter',
  'Tag',
  'Petrol Pump',
  'Loading Place',
  'Unloading Place',
  'Loading Weight (MT)',
  'Unloading Weight (MT)',
  'Rate per MT',
  'TDS Percentage',
  'Advance Money',
  'Office Charges',
  'Discount Weight (MT)',
  'Material Rate per MT',
  'Payment Done',
  'Driver Name',
  'Driving License No',
  'Vehicle Type',
  'Vehicle Wheels',
  'Remarks',
  'Data Entry By',
  'Deposited On',
  'Create Challan',
];

describe('walking', () => {
  it('Enter goes through the fields in the order of the paper, past read-only ones, to Create Challan', async () => {
    await openNew();
    expect(await walk('{Enter}')).toEqual(paperOrder);
  });

  it('Shift+Enter goes back, and in Remarks makes a new line', async () => {
    await openNew();
    goTo('Remarks');
    await keys('one{Shift>}{Enter}{/Shift}two');
    await expect.element(field('Remarks')).toHaveValue('one\ntwo');
    goTo('Vehicle Wheels');
    await keys('{Shift>}{Enter}{/Shift}');
    await expect.poll(() => focused()).toBe('Vehicle Type');
  });

  it('Enter skips what is remembered, never the TP number, unless the setting is off', async () => {
    remember({ tpNo: 'TP-1', loadingDate: '2026-11-01', material: 'Coal', ratePerMT: '1000.00', tag: coalChoice });
    await openNew();
    await expect.element(field('TP No')).toHaveValue('TP-1');
    const walked = await walk('{Enter}');
    expect(walked[0]).toBe('TP No');
    for (const name of ['Loading Date', 'Material', 'Rate per MT', 'Tag']) expect(walked).not.toContain(name);
    expect(walked).toContain('Unloading Date');
    expect(walked).toContain('Office Charges');

    await userEvent.click(page.getByRole('checkbox', { name: 'Enter skips remembered fields' }));
    goTo('TP No');
    expect(await walk('{Enter}')).toEqual(paperOrder);
  });

  /** What the form remembers after a challan. */
  const oneBefore = {
    tpNo: 'TP-1',
    loadingDate: '2026-11-01',
    tripDays: 1,
    material: 'Coal',
    tag: coalChoice,
    loadingPlace: 'Talcher',
    unloadingPlace: 'Paradip',
    discounter: null,
    petrolPump: null,
    ratePerMT: '1000.00',
    advanceMoney: '0.00',
    officeCharges: '0.00',
    hsdPricePerLiter: '',
    discountWeight: '',
    materialRate: '',
    dataEntryBy: 'Sunil',
    depositedAt: '2026-11-19',
  };

  it('a challan like the one before: Enter stops only where something is to be typed', async () => {
    remember(oneBefore);
    desk.books.challans = [storedChallan];
    await openNew();
    await expect.element(field('Unloading Date')).toHaveValue('02/11/2026');
    const stops: string[] = [];
    for (const text of ['TP-2', 'OD 09 AB 1234', '32.50', '32.10']) {
      await keys(`${text}{Enter}`);
      stops.push(focused());
      // The percentage of the owner comes by itself.
      if (text.startsWith('OD')) await expect.element(field('TDS Percentage')).toHaveValue('2.0');
    }
    expect(stops).toEqual(['Vehicle No', 'Loading Weight (MT)', 'Unloading Weight (MT)', 'Create Challan']);
    await keys('{Enter}');
    await expect.element(created()).toBeInTheDocument();
    expect(desk.writes(create)[0]).toMatchObject({ unloadingDate: '2026-11-02', vehicleType: 'Tipper' });
  });

  // Text is counted letter by letter, a key with Ctrl as one (docs/expectations.md, 1).
  it.each([
    ['of the same truck takes 11 keys', ["{Control>}'{/Control}"], 'OD 09 AB 1234', 11],
    ['of another truck takes 14', [...'0009'], 'OD 02 ZZ 0009', 14],
  ])('a challan like the one before %s', async (_, vehicle, shown, most) => {
    remember(oneBefore);
    desk.books.challans = [storedChallan];
    addTruck(desk, shown, ravi, { typeOfVehicle: 'Tipper' });
    await openNew();
    await expect.element(field('Unloading Date')).toHaveValue('02/11/2026');
    await expect.element(page.getByRole('link', { name: /CH-2627-000031/ })).toBeInTheDocument();
    const typed = ['2', '{Enter}', ...vehicle, '{Enter}', ...'20', '{Enter}', ...'19', '{Enter}', '{Enter}'];
    expect(typed.length).toBeLessThanOrEqual(most);
    for (const key of typed) await keys(key);
    await expect.element(created()).toBeInTheDocument();
    expect(desk.writes(create)[0]).toMatchObject({
      tpNo: '2',
      vehicleNo: shown,
      ownerId: ravi.id,
      loadingDate: '2026-11-01',
      loadingPlace: 'Talcher',
      loadingWeight: '20.00',
      unloadingWeight: '19.00',
      ratePerMT: '1000.00',
      tdsPercentage: '2.0',
      tagId: coal.id,
    });
  });

  it('Enter stops at the HSD price where there is a pump, marked or not', async () => {
    const last = { ...oneBefore, petrolPump: { id: pump.id, name: pump.name } };
    remember(last);
    localStorage.setItem('challan-desk-view:a@b.in:challan-form.stops', JSON.stringify('hsdPricePerLiter'));
    await openNew();
    expect(await walk('{Enter}')).toContain('HSD Price per Liter');
    goTo('Petrol Pump');
    await keys('{Control>}a{/Control}{Delete}{Tab}');
    await expect.element(field('HSD in Liters')).toHaveAccessibleDescription('Choose a petrol pump');
    goTo('TP No');
    expect(await walk('{Enter}')).not.toContain('HSD Price per Liter');
  });

  it('the user marks the fields at which Enter stops although they are remembered', async () => {
    remember({ ...oneBefore, advanceMoney: '5000.00' });
    await openNew();
    const advance = page.getByText('Advance Money', { exact: false }).and(page.getByTitle('Advance Money'));
    await expect.element(advance).not.toHaveTextContent('⏎');
    await userEvent.click(button('Enter stops …'));
    await userEvent.click(page.getByRole('checkbox', { name: 'Advance Money' }));
    await keys('{Escape}');
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
    await expect.element(advance).toHaveTextContent('⏎');
    goTo('TP No');
    const walked = await walk('{Enter}');
    expect(walked).toContain('Advance Money');
    expect(walked).not.toContain('Office Charges');
    await userEvent.click(button('Enter stops …'));
    await userEvent.click(page.getByRole('checkbox', { name: 'Advance Money' }));
    await keys('{Escape}');
    goTo('TP No');
    expect(await walk('{Enter}')).not.toContain('Advance Money');
  });

  it('an owner passed over for a vehicle that is unknown: Enter at the end comes back to it', async () => {
    remember({ tpNo: 'TP-1', tripDays: 0 });
    await openNew();
    goTo('Vehicle No');
    await keys('OD 77{Enter}');
    expect(focused()).not.toBe('Owner Name');
    await expect.element(button('Create truck')).toBeInTheDocument();
    goTo('Deposited On');
    await keys('{Enter}');
    await focusOn('Owner Name');
  });

  it('F2 goes to the loading date, Alt+PgDn and Alt+PgUp from section to section', async () => {
    await openNew();
    await keys('{F2}');
    await expect.poll(() => focused()).toBe('Loading Date');
    const sections: string[] = [];
    for (let step = 0; step < 4; step += 1) {
      await keys('{Alt>}{PageDown}{/Alt}');
      sections.push(focused());
    }
    expect(sections).toEqual(['Loading Weight (MT)', 'Rate per MT', 'Driver Name', 'Driver Name']);
    await keys('{Alt>}{PageUp}{/Alt}');
    await expect.poll(() => focused()).toBe('Rate per MT');
  });

  it("Ctrl+' copies the same field of the last challan", async () => {
    desk.books.challans = [storedChallan];
    await openNew();
    await expect.element(page.getByRole('link', { name: /CH-2627-000031/ })).toBeInTheDocument();
    goTo('Loading Place');
    await keys("{Control>}'{/Control}");
    await expect.element(field('Loading Place')).toHaveValue('Talcher');
    goTo('Tag');
    await keys("{Control>}'{/Control}");
    await expect.element(field('Tag')).toHaveValue('Coal');
  });
});

const coalChoice = { id: coal.id, name: coal.name, color: coal.color };

describe('saving', () => {
  it('by keyboard alone: the body, the toast, what is kept, and where the next one begins', async () => {
    await openNew();
    await keys('TP-900{Enter}{Enter}{Enter}OD 09 AB 1234{Enter}');
    // Enter moves on without waiting for the lookup.
    await expect.poll(() => focused()).toBe('Material');
    await keys('Coal{Enter}');
    await expect.element(field('Owner Name')).toHaveValue(ravi.name);
    // Owner and contact came with the vehicle: Enter has gone past them, to the discounter.
    expect(focused()).toBe('Discounter');
    await keys('{Enter}co');
    await expect.element(page.getByRole('option', { name: 'Coal' })).toBeInTheDocument();
    await keys('{Enter}{Enter}Talcher{Enter}Paradip{Enter}32.505{Enter}32.1{Enter}1,000{Enter}2{Enter}');
    // Without a pump there is no stop at the HSD price.
    await keys('1000{Enter}0{Enter}{Control>}s{/Control}');

    await expect.element(created()).toBeInTheDocument();
    const [sent, ...more] = desk.calls(create);
    expect(more).toEqual([]);
    expect(sent?.body).toEqual({
      ownerId: ravi.id,
      tpNo: 'TP-900',
      loadingDate: today(),
      unloadingDate: today(),
      vehicleNo: 'OD 09 AB 1234',
      material: 'Coal',
      ownerName: ravi.name,
      ownerContactNumber: ravi.contactNumber,
      discounterId: null,
      tagId: coal.id,
      petrolPumpId: null,
      loadingPlace: 'Talcher',
      unloadingPlace: 'Paradip',
      loadingWeight: '32.51',
      unloadingWeight: '32.10',
      differenceWeight: '0.41',
      ratePerMT: '1000.00',
      tdsPercentage: '2.0',
      tdsAmount: '642.00',
      hsdPricePerLiter: '0',
      hsdInLiters: '0',
      hsdAmount: '0.00',
      advanceMoney: '1000.00',
      officeCharges: '0.00',
      discountWeight: '0',
      shortageAmount: '410.00',
      materialShortageAmount: '0.00',
      netAmountPayable: '30458.00',
      paymentStatus: false,
      driverName: '',
      drivingLicenseNo: '',
      vehicleType: 'Tipper',
      vehicleWheel: 12,
      remarks: '',
      dataEntryBy: '',
      depositedAt: today(),
    });
    expect(sent?.key).toMatch(/^[0-9a-f]{32}$/);

    await focusOn('TP No');
    expect(getSelection()?.toString()).toBe('TP-900');
    await expect.element(field('Vehicle No')).toHaveValue('');
    await expect.element(field('Owner Name')).toHaveValue('');
    await expect.element(field('Loading Weight (MT)')).toHaveValue('');
    await expect.element(field('Material')).toHaveValue('Coal');
    await expect.element(field('Tag')).toHaveValue('Coal');
    await expect.element(field('Rate per MT')).toHaveValue('1,000.00');
  });

  it('each challan goes out under a key of its own; the same one again under the same key', async () => {
    desk.once(create, () => refusal('SERVICE_UNAVAILABLE', 'The database is away'));
    await openNew();
    await fillChallan();
    await userEvent.click(button('Create Challan'));
    await expect.element(summary()).toHaveTextContent('The database is away');
    await expect.element(summary()).toHaveTextContent('Request request-1');
    await expect.element(field('Vehicle No')).toHaveValue('OD 09 AB 1234');
    await keys('{Control>}{Enter}{/Control}');
    await expect.element(created()).toBeInTheDocument();
    await expect.element(summary()).not.toBeInTheDocument();
    await fillChallan();
    await keys('{Control>}s{/Control}');
    await expect.poll(() => desk.calls(create).length).toBe(3);
    const used = desk.calls(create).map(({ key }) => key);
    expect(used[1]).toBe(used[0]);
    expect(used[2]).not.toBe(used[0]);
  });

  it('pressed once more right after the create, the key does not judge the empty form', async () => {
    await openNew();
    await fillChallan();
    // A slow machine may need longer for the toast than a double press lasts: no time passes here.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    await keys('{Control>}s{/Control}');
    await saveAtOnceWhen(() => created().elements().length > 0);
    clock.mockRestore();
    await expect.element(field('TP No')).toHaveFocus();
    await expect.element(summary()).not.toBeInTheDocument();
    expect(desk.calls(create)).toHaveLength(1);
  });

  it('a loading date typed and entered fills the unloading date, which the next typing replaces', async () => {
    await openNew();
    await type('Loading Date', '10/04/2026');
    goTo('Loading Date');
    await keys('{Control>}a{/Control}12/04/2026{Enter}13/04/2026{Enter}');
    await expect.element(field('Unloading Date')).toHaveValue('13/04/2026');
    expect(focused()).toBe('Vehicle No');
  });

  it('waits for a lookup under way instead of complaining about the owner', async () => {
    await openNew();
    await fillChallan();
    addTruck(desk, 'OD 01', tarini, { noOfWheels: 18 });
    const answer = desk.hold(lookUp);
    goTo('Vehicle No');
    await keys('{Control>}a{/Control}OD 01{Control>}s{/Control}');
    await expect.poll(() => desk.calls(lookUp).filter(({ path }) => path.endsWith('01')).length).toBe(1);
    expect(desk.calls(create)).toEqual([]);
    answer();
    await expect.poll(() => desk.calls(create).length).toBe(1);
    expect(desk.writes(create)[0]).toMatchObject({ ownerId: tarini.id, vehicleWheel: 18 });
  });

  it('puts an error of the server at its field', async () => {
    desk.serve(create, () =>
      refusal('INVALID_REFERENCE', 'The tag does not exist', { fields: { tagId: 'Unknown tag' } }),
    );
    await openNew();
    await fillChallan();
    await keys('{Control>}s{/Control}');
    await expect.element(summary()).toHaveTextContent('The tag does not exist');
    await expect.element(field('Tag')).toHaveAccessibleDescription('Unknown tag');
  });

  it('says when the key was used for another body, and saves under a new one when asked', async () => {
    desk.once(create, () => refusal('IDEMPOTENCY_MISMATCH', 'The key was used for another request'));
    await openNew();
    await fillChallan();
    await keys('{Control>}s{/Control}');
    await userEvent.click(button('Save as another challan'));
    await expect.element(created()).toBeInTheDocument();
    const [first, second] = desk.calls(create).map(({ key }) => key);
    expect(second).not.toBe(first);
  });
});

describe('errors', () => {
  it('an empty form: the summary takes the focus, with every message as a link to its field', async () => {
    await openNew();
    for (const label of ['Loading Date', 'Unloading Date', 'Deposited On']) await type(label, '');
    await keys('{Control>}s{/Control}');
    await expect.element(summary()).toHaveFocus();
    const words = summary()
      .getByRole('link')
      .elements()
      .map((link) => link.textContent);
    // The TDS amount is worked out: it is 0 while nothing is known, and never missing.
    const expected: string[] = Object.values(requiredMessages).filter((text) => text !== requiredMessages.tdsAmount);
    expect(words.toSorted()).toEqual(expected.toSorted());
    await userEvent.click(summary().getByRole('link', { name: 'Please select a tag' }));
    await expect.poll(() => focused()).toBe('Tag');
    await expect.element(field('Tag')).toHaveAccessibleDescription('Please select a tag');
    expect(desk.calls(create)).toEqual([]);
  });

  it('then Enter and F8 go only through the fields in error', async () => {
    await openNew();
    await fillChallan();
    await type('Material', '');
    await type('Advance Money', '');
    await keys('{Control>}s{/Control}');
    await expect.element(summary()).toHaveFocus();
    await keys('{F8}');
    await expect.poll(() => focused()).toBe('Material');
    await keys('Coal{Enter}');
    await expect.poll(() => focused()).toBe('Advance Money');
    await keys('{F8}');
    await expect.poll(() => focused()).toBe('Advance Money');
    await keys('5{Enter}');
    await expect.poll(() => focused()).toBe('Create Challan');
  });

  it('come when a field is left, never while typing, and go as soon as they are mended', async () => {
    await openNew();
    goTo('Material');
    await keys('{Tab}');
    await expect.element(field('Material')).toHaveAccessibleDescription('Please enter material');
    goTo('Material');
    await keys('C');
    await expect.element(field('Material')).not.toHaveAccessibleDescription();
    await keys('{Backspace}');
    await expect.element(field('Material')).not.toHaveAccessibleDescription();
    await keys('{Tab}');
    await expect.element(field('Material')).toHaveAccessibleDescription('Please enter material');
  });

  // The dialog hides the form behind it from roles and names.
  const isInvalid = () => document.querySelector('[name="vehicleNo"]')?.hasAttribute('aria-invalid');
  it.each([
    ['the palette', '{Control>}k{/Control}', 'Go to, or do…'],
    ['"Create truck"', '{Alt>}c{/Alt}', 'Add New Truck'],
  ])('do not come because %s opens over the field', async (_name, opening, title) => {
    await openNew();
    await type('Vehicle No', 'OD 77');
    await expect.element(button('Create truck')).toBeInTheDocument();
    goTo('Vehicle No');
    await keys('{Control>}a{/Control}{Delete}');
    await keys(opening);
    await expect.element(page.getByRole('dialog', { name: title })).toBeVisible();
    expect(isInvalid()).toBe(false);
    await keys('{Escape}');
    await focusOn('Vehicle No');
    expect(isInvalid()).toBe(false);
    await keys('{Tab}');
    await expect.element(field('Vehicle No')).toHaveAttribute('aria-invalid', 'true');
  });

  it('dates judge each other, by day', async () => {
    await openNew();
    await type('Loading Date', '20/11/2026');
    await type('Unloading Date', '19/11/2026');
    await expect
      .element(field('Unloading Date'))
      .toHaveAccessibleDescription('Unloading date cannot be before loading date');
    await type('Loading Date', '19/11/2026');
    await expect.element(field('Unloading Date')).not.toHaveAccessibleDescription();
    await type('Loading Date', '21/11/2026');
    await expect
      .element(field('Loading Date'))
      .toHaveAccessibleDescription('Loading date cannot be after unloading date');
    await expect
      .element(field('Unloading Date'))
      .toHaveAccessibleDescription('Unloading date cannot be before loading date');
    await type('Deposited On', '18/11/2026');
    await expect
      .element(field('Deposited On'))
      .toHaveAccessibleDescription('Deposited date cannot be before unloading date');
  });

  it('keys of a date: t is today, + the day after, and Enter at once goes on', async () => {
    await openNew();
    goTo('Loading Date');
    await keys('5/11/26{Enter}');
    goTo('Loading Date');
    await keys('++{Enter}');
    await expect.poll(() => focused()).toBe('Unloading Date');
    await expect.element(field('Loading Date')).toHaveValue('07/11/2026');
    await new Promise((resolve) => requestAnimationFrame(resolve));
    expect(focused()).toBe('Unloading Date');
  });

  it('a date that is none stops the saving, in the words beside the field', async () => {
    await openNew();
    await fillChallan();
    goTo('Deposited On');
    await keys('{Control>}a{/Control}31/02/2026{Control>}s{/Control}');
    await expect.element(summary()).toHaveTextContent('This date does not exist.');
    await expect.element(field('Deposited On')).toHaveAccessibleDescription('This date does not exist.');
    expect(desk.calls(create)).toEqual([]);
  });

  it('without an owner of the list: the sentence of the specification', async () => {
    await openNew();
    await fillChallan();
    await type('Owner Name', 'Somebody else');
    await expect.element(page.getByText('Owner not linked')).toBeInTheDocument();
    await keys('{Control>}s{/Control}');
    await expect.element(summary()).toHaveTextContent('Please select an owner before submitting');
    await expect.element(field('Owner Name')).toHaveAccessibleDescription('Please select an owner before submitting');
  });

  it.each([
    ['0', 'TDS percentage must be greater than 0'],
    ['100.1', 'TDS percentage cannot exceed 100%'],
  ])('a TDS percentage of %s is refused', async (typed, message) => {
    await openNew();
    await type('TDS Percentage', typed);
    await expect.element(field('TDS Percentage')).toHaveAccessibleDescription(message);
  });

  it.each([
    ['0.05', 'TDS percentage must be greater than 0'],
    ['100.04', 'TDS percentage cannot exceed 100%'],
  ])('a TDS percentage of %s is not rounded into the range', async (text, message) => {
    await openNew();
    await type('TDS Percentage', text);
    await expect.element(field('TDS Percentage')).toHaveValue(text);
    await expect.element(field('TDS Percentage')).toHaveAccessibleDescription(message);
  });

  it('under a declaration of the owner it is 0 and not typed; it lapses by the day', async () => {
    const days = { id: idOf(77), receivedOn: addDays(today(), -20), validFrom: addDays(today(), -20) };
    desk.serve(contract.declarations.ofOwner, ({ params }) => ({
      data: params.id === ravi.id ? [{ ...days, validTo: addDays(today(), 10) }] : [],
      noticeDays: 30,
    }));
    await openNew();
    await fillChallan(null);
    await expect.element(field('TDS Percentage')).toHaveValue('0.0');
    await expect.element(field('TDS Percentage')).toHaveAttribute('readonly');
    await expect
      .element(field('TDS Percentage'))
      .toHaveAccessibleDescription(
        `0 – declaration of ${formatDate(days.receivedOn)}, lapses on ${formatDate(addDays(today(), 10))}`,
      );
    // Before it was received the percentage is typed again.
    await type('Loading Date', formatDate(addDays(today(), -30)));
    await type('Unloading Date', formatDate(addDays(today(), -30)));
    await type('Deposited On', formatDate(addDays(today(), -21)));
    await expect.element(field('TDS Percentage')).not.toHaveAttribute('readonly');
    await expect.element(field('TDS Percentage')).toHaveValue('');
    await type('Deposited On', formatDate(today()));
    await expect.element(field('TDS Percentage')).toHaveValue('0.0');
    await keys('{Control>}s{/Control}');
    await expect.poll(() => desk.writes(create)[0]?.tdsPercentage).toBe('0.0');
  });

  it('an odd number of wheels is refused', async () => {
    await openNew();
    await type('Vehicle Wheels', '7');
    await expect
      .element(field('Vehicle Wheels'))
      .toHaveAccessibleDescription('Vehicle wheels must be an even number from 4 to 32');
  });
});

describe('the sum', () => {
  it('stands line by line while it is typed; the shortage is shown and not deducted', async () => {
    await openNew();
    await type('Loading Weight (MT)', '32.50');
    await type('Rate per MT', '1000');
    await expect.element(bar()).toHaveTextContent('Freight—');
    await type('Unloading Weight (MT)', '32.10');
    await type('TDS Percentage', '2');
    await type('Discount Weight (MT)', '0.1');
    await type('Material Rate per MT', '2000');
    goTo('Advance Money');
    await keys('5000');
    await expect.element(field('Difference Weight (MT)')).toHaveValue('0.40');
    await expect.element(field('Shortage Amount')).toHaveValue('300.00');
    await expect.element(field('Material Shortage Amount')).toHaveValue('600.00');
    await expect.element(field('Net Amount Payable')).toHaveValue('25,858.00');
    const lines = bar().getByRole('listitem').elements();
    expect(lines.map((line) => `${line.children[0]?.textContent} ${line.children[1]?.textContent}`)).toEqual([
      'Freight ₹32,100.00',
      'TDS Amount, deducted − ₹642.00',
      'HSD Amount, deducted − ₹0.00',
      'Advance Money, deducted − ₹5,000.00',
      'Material Shortage Amount, deducted − ₹600.00',
      'Office Charges, deducted − ₹0.00',
    ]);
    await expect.element(field('Shortage Amount')).toHaveAccessibleDescription('Shown only, not deducted');
    await expect.element(page.getByText('Net amount payable ₹25,858.00', { exact: true })).toBeInTheDocument();
  });

  it('typed fast, not a digit is lost; rounding says so; wheel and arrows change nothing', async () => {
    await openNew();
    goTo('Rate per MT');
    await keys('1,23,456.505{Tab}');
    await expect.element(field('Rate per MT')).toHaveValue('1,23,456.51');
    await expect.element(field('Rate per MT')).toHaveAccessibleDescription('Rounded to 1,23,456.51');
    goTo('Rate per MT');
    await keys('{ArrowUp}{ArrowUp}{ArrowDown}');
    await expect.element(field('Rate per MT')).toHaveValue('123456.51');
  });

  it('below zero asks before it is saved: no goes back to the form, yes saves', async () => {
    await openNew();
    await fillChallan();
    await type('Advance Money', '50000');
    goTo('Remarks');
    await keys('{Control>}s{/Control}');
    const question = page.getByRole('alertdialog');
    await expect.element(question).toHaveTextContent('-₹18,642.00');
    await keys('{Escape}');
    await expect.element(question).not.toBeInTheDocument();
    expect(desk.calls(create)).toEqual([]);
    await focusOn('Remarks');
    await keys('{Control>}s{/Control}');
    await expect.element(question).toBeInTheDocument();
    await keys('{Control>}{Enter}{/Control}');
    await expect.element(created()).toBeInTheDocument();
  });
});

describe('the same trip twice', () => {
  beforeEach(() => {
    desk.serve(findDuplicates, ({ query }) => ({
      data: { sameTp: query.tpNo === 'TP-900' ? [referenceOf(storedChallan)] : [], sameTrip: [] },
    }));
  });
  const banner = () => page.getByRole('status').filter({ hasText: 'This TP No is already on another challan' });
  /** "Save anyway" may be pressed: the moment to read the banner is over. */
  const armed = () => expect.element(button('Save anyway')).not.toHaveAttribute('aria-disabled');

  it('is said when the TP number is left, with a link, and goes when it is changed', async () => {
    await openNew();
    await type('TP No', 'TP-900');
    await expect.element(banner()).toBeInTheDocument();
    const link = page.getByRole('link', { name: storedChallan.challanNumber });
    await expect.element(link).toHaveAttribute('href', `/challans/edit/${storedChallan.id}`);
    expect(button('Save anyway').elements()).toHaveLength(0);
    await type('TP No', 'TP-901');
    await expect.element(banner()).not.toBeInTheDocument();
  });

  it.each([
    ['Ctrl+S once more', () => keys('{Control>}s{/Control}')],
    ['Ctrl+Enter', () => keys('{Control>}{Enter}{/Control}')],
    ['Enter on "Save anyway", which has the focus', () => keys('{Enter}')],
    ['Create Challan', () => userEvent.click(button('Create Challan'))],
  ])('is asked about on saving: %s saves anyway', async (_how, confirm) => {
    await openNew();
    await fillChallan();
    await keys('{Control>}s{/Control}');
    await saveAtOnceWhen(() => focused().startsWith('Save anyway'));
    await expect.element(button('Save anyway')).toHaveFocus();
    await expect.element(banner()).toHaveTextContent('Save anywayCtrlS');
    expect(desk.calls(create)).toEqual([]);
    await armed();
    await confirm();
    await expect.element(created()).toBeInTheDocument();
    expect(desk.calls(create)).toHaveLength(1);
  });

  it('does not find itself after a save that got no answer', async () => {
    desk.once(create, offline);
    await openNew();
    await fillChallan();
    await keys('{Control>}s{/Control}');
    await expect.element(button('Save anyway')).toBeInTheDocument();
    await armed();
    await keys('{Control>}{Enter}{/Control}');
    await expect.element(summary()).toHaveTextContent('The challan is stored only once');
    await keys('{Control>}s{/Control}');
    await expect.element(created()).toBeInTheDocument();
    const [first, second] = desk.calls(create).map(({ key }) => key);
    expect(second).toBe(first);
  });

  it('a remembered TP number is not complained about before it is saved', async () => {
    remember({ tpNo: 'TP-900' });
    await openNew();
    await expect.element(field('TP No')).toHaveValue('TP-900');
    await keys('{Enter}{Enter}{Enter}');
    expect(desk.calls(findDuplicates)).toEqual([]);
    await fillChallan();
    await keys('{Control>}s{/Control}');
    await expect.element(button('Save anyway')).toBeInTheDocument();
  });

  it('a check that fails keeps nobody from saving', async () => {
    desk.serve(findDuplicates, () => refusal('INTERNAL_ERROR', 'Refused'));
    await openNew();
    await fillChallan();
    await keys('{Control>}s{/Control}');
    await expect.element(created()).toBeInTheDocument();
  });
});

describe('remembered values', () => {
  it('are kept after a create, without the rest', async () => {
    await openNew();
    await fillChallan();
    await keys('{Control>}s{/Control}');
    await expect.element(created()).toBeInTheDocument();
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey('challan-form.remembered')) ?? '');
    expect(kept).toMatchObject({ tpNo: 'TP-900', material: 'Coal', ratePerMT: '1000.00', tag: coalChoice });
    expect(Object.keys(kept ?? {})).not.toContain('vehicleNo');
    expect(Object.keys(kept ?? {})).toHaveLength(17);
  });
});
