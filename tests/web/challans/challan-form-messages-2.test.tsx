import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { idOf } from '../support/builders.ts';
import {
  addTruck,
  button,
  create,
  field,
  fillChallan,
  formDesk,
  get,
  goTo,
  keys,
  open,
  openEdit,
  openNew,
  pump,
  ravi,
  storedChallan,
  type,
  update,
  type FormDesk,
} from '../support/challan-form.ts';
import { refusal, speechless } from '../support/fake-server.ts';
import { closeApp, page, userEvent } from '../support/screen.tsx';

/** Messages of the specification that no other test of the form asserts letter for letter. */

let desk: FormDesk;
beforeEach(() => {
  desk = formDesk();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await closeApp();
});

const expectSaid = (text: string) => expect.element(page.getByText(text, { exact: true }).first()).toBeInTheDocument();

describe('a field that is left empty says what is missing', () => {
  it.each([
    ['TP No', 'Please enter TP No'],
    ['Loading Date', 'Please select loading date'],
    ['Unloading Date', 'Please select unloading date'],
    ['Vehicle No', 'Please enter vehicle no'],
    ['Material', 'Please enter material'],
    ['Owner Name', 'Please enter owner name'],
    ['Owner Contact Number', 'Please enter owner contact number'],
    ['Tag', 'Please select a tag'],
    ['Loading Place', 'Please enter loading place'],
    ['Unloading Place', 'Please enter unloading place'],
    ['Loading Weight (MT)', 'Please enter loading weight'],
    ['Unloading Weight (MT)', 'Please enter unloading weight'],
    ['Rate per MT', 'Please enter rate per MT'],
    ['TDS Percentage', 'Please enter TDS percentage'],
    ['Advance Money', 'Please enter advance money'],
    ['Office Charges', 'Please enter office charges'],
    ['Deposited On', 'Please select the deposited date!'],
  ])('%s: %s', async (label, message) => {
    await openNew();
    await type(label, '');
    await expect.element(field(label)).toHaveAccessibleDescription(message);
  });

  it('HSD in Liters, once a petrol pump is chosen', async () => {
    await openNew();
    goTo('Petrol Pump');
    await keys('{F4}');
    await expect.element(page.getByRole('option', { name: pump.name })).toBeInTheDocument();
    await keys('{ArrowDown}{Enter}');
    await type('HSD in Liters', '');
    await expect.element(field('HSD in Liters')).toHaveAccessibleDescription('Please enter HSD in liters');
  });
});

describe('saving', () => {
  const made = (challanNumber: string): void =>
    desk.serve(create, () => ({ data: { ...storedChallan, challanNumber }, warnings: [] }));

  it('says the number of the challan', async () => {
    made('CH-2627-000077');
    await openNew();
    await fillChallan();
    await keys('{Control>}s{/Control}');
    await expect
      .element(page.getByText('Challan created successfully! Challan Number: CH-2627-000077'))
      .toBeInTheDocument();
  });

  it('says N/A where there is no number', async () => {
    made('');
    await openNew();
    await fillChallan();
    await keys('{Control>}s{/Control}');
    await expect.element(page.getByText('Challan created successfully! Challan Number: N/A')).toBeInTheDocument();
  });

  it('a create that fails without a sentence: the default, above the form and in the toast', async () => {
    desk.serve(create, speechless);
    await openNew();
    await fillChallan();
    await keys('{Control>}s{/Control}');
    await expect.element(page.getByRole('alert').getByText('Failed to create challan')).toBeInTheDocument();
    await expect.poll(() => page.getByText('Failed to create challan').elements().length).toBe(2);
    await expect.element(field('Vehicle No')).toHaveValue('OD 09 AB 1234');
  });

  it('an update that fails without a sentence: the default, and what was typed stays', async () => {
    desk.serve(update, speechless);
    const router = await openEdit();
    await type('Remarks', 'Checked');
    await keys('{Control>}s{/Control}');
    await expect.element(page.getByRole('alert').getByText('Failed to update challan')).toBeInTheDocument();
    await expect.element(field('Remarks')).toHaveValue('Checked');
    expect(router.state.location.pathname).toBe(`/challans/edit/${storedChallan.id}`);
  });

  it('a refused material shortage stands at the rate that mends it', async () => {
    const message = 'Material shortage amount must be a positive number or zero';
    desk.serve(create, () => refusal('VALIDATION_ERROR', message, { fields: { materialShortageAmount: message } }));
    await openNew();
    await fillChallan();
    await keys('{Control>}s{/Control}');
    await expect
      .element(field('Material Rate per MT'))
      .toHaveAccessibleDescription('Material shortage amount must be a positive number or zero');
  });

  it('a refused TDS amount stands at the percentage that mends it', async () => {
    const message = 'Please enter TDS amount';
    desk.serve(create, () => refusal('VALIDATION_ERROR', message, { fields: { tdsAmount: message } }));
    await openNew();
    await fillChallan();
    await keys('{Control>}s{/Control}');
    await expect.element(field('TDS Percentage')).toHaveAccessibleDescription('Please enter TDS amount');
  });
});

describe('the form', () => {
  it('is called Create Challans, with Payment Done to tick', async () => {
    await openNew();
    await expect.element(page.getByRole('heading', { level: 1, name: 'Create Challans' })).toBeInTheDocument();
    await expect.element(page.getByRole('checkbox', { name: 'Payment Done' })).not.toBeChecked();
  });

  it('is called Edit Challan with a challan', async () => {
    await openEdit();
    await expect.element(page.getByRole('heading', { level: 1, name: 'Edit Challan' })).toBeInTheDocument();
  });

  it('tells whose vehicle it is', async () => {
    addTruck(desk, 'OD 02', ravi);
    await openNew();
    await type('Vehicle No', 'OD 02');
    await expectSaid('Owner and vehicle details loaded: Ravi Roadlines');
  });

  it('that cannot be cleared says so, and leaves it to the hand', async () => {
    await openNew();
    await type('Remarks', 'Wet load');
    // What clearing does last is to go to the top; a browser that refuses it stands for whatever may fail on the way.
    vi.spyOn(Element.prototype, 'scrollTo').mockImplementation(() => {
      throw new Error('no');
    });
    await userEvent.click(button('Clear Form'));
    await expectSaid('Error clearing form, but you can manually clear it.');
    await type('Remarks', 'Dry load');
    await expect.element(field('Remarks')).toHaveValue('Dry load');
  });

  it('of a challan that is gone says so, with the way back', async () => {
    await open(`/challans/edit/${idOf(404)}`);
    await expectSaid('Challan not found');
    await expect.element(page.getByRole('link', { name: 'Back to Challans' })).toHaveAttribute('href', '/challans');
  });

  it('of a challan that cannot be read has the default and Retry', async () => {
    desk.serve(get, speechless);
    await open(`/challans/edit/${storedChallan.id}`);
    await expect.element(page.getByRole('alert').getByText('Failed to fetch challans')).toBeInTheDocument();
    await expect.element(button('Retry')).toBeInTheDocument();
  });
});
