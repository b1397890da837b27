import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Challan } from '../../../src/shared/contract/challan.ts';
import { idOf } from '../support/builders.ts';
import {
  addTruck,
  button,
  field,
  focusOn,
  focused,
  formDesk,
  get,
  keys,
  list,
  listFields,
  open,
  openEdit,
  storedChallan,
  tarini,
  type,
  update,
  type FormDesk,
} from '../support/challan-form.ts';
import { refusal } from '../support/fake-server.ts';
import { closeApp, page, userEvent } from '../support/screen.tsx';

let desk: FormDesk;
beforeEach(() => {
  desk = formDesk();
});
afterEach(closeApp);

const sent = () => desk.writes(update);
const save = () => keys('{Control>}s{/Control}');
const showing = (over: Partial<Challan>) => (desk.stored = { ...storedChallan, ...over });

describe('what is sent', () => {
  it('changing only Remarks sends only Remarks, with the version, and goes to the list', async () => {
    const router = await openEdit();
    await type('Remarks', 'Checked');
    await save();
    await expect.poll(sent).toEqual([{ remarks: 'Checked', version: 1 }]);
    await expect.element(page.getByText('Challan updated successfully')).toBeInTheDocument();
    await expect.poll(() => router.state.location.pathname).toBe('/challans');
    expect(page.getByRole('alertdialog').elements()).toHaveLength(0);
  });

  it('what was stored empty may stay empty: no deposited date, no tag', async () => {
    showing({ depositedAt: null, tag: null });
    await openEdit();
    await type('Remarks', 'Wet');
    await save();
    await expect.poll(sent).toEqual([{ remarks: 'Wet', version: 1 }]);
  });

  it('a deposited date that was stored may not be emptied', async () => {
    await openEdit();
    await type('Deposited On', '');
    await save();
    await expect.element(page.getByRole('alert')).toHaveTextContent('Please select the deposited date!');
    expect(sent()).toEqual([]);
  });

  it('an amount goes with what follows from it; the stored figures it does not touch stay', async () => {
    await openEdit();
    await type('Advance Money', '2,000');
    await save();
    await expect.poll(sent).toEqual([{ advanceMoney: '2000.00', netAmountPayable: '19758.00', version: 1 }]);
  });

  it('passing through the fields and typing the same value again changes nothing', async () => {
    const router = await openEdit();
    await type('Rate per MT', '1000');
    await type('Advance Money', '1,000.00');
    await save();
    await expect.element(page.getByText('No changes detected')).toBeInTheDocument();
    await expect.poll(() => router.state.location.pathname).toBe('/challans');
    expect(sent()).toEqual([]);
  });

  it('changed weights ask for the material rate, which is not stored; the shortage is then sent', async () => {
    await openEdit();
    await expect.element(field('Material Shortage Amount')).toHaveValue('600.00');
    await type('Unloading Weight (MT)', '32.00');
    // Pending, it is not known, and neither is the net.
    await expect.element(field('Material Shortage Amount')).toHaveValue('—');
    await expect.element(field('Net Amount Payable')).toHaveValue('—');
    await expect.element(field('Material Rate per MT')).toHaveAccessibleDescription(/₹600\.00 was stored/);
    await save();
    await expect.element(page.getByRole('alert')).toHaveTextContent('Material shortage amount is required');
    await userEvent.click(page.getByRole('link', { name: 'Material shortage amount is required' }));
    await focusOn('Material Rate per MT');
    expect(sent()).toEqual([]);
    await type('Material Rate per MT', '2000');
    await expect.element(field('Material Shortage Amount')).toHaveValue('800.00');
    await save();
    await expect.poll(sent).toEqual([
      {
        unloadingWeight: '32.00',
        differenceWeight: '0.50',
        tdsAmount: '640.00',
        shortageAmount: '400.00',
        materialShortageAmount: '800.00',
        netAmountPayable: '20460.00',
        version: 1,
      },
    ]);
  });

  it('a material rate of 0 is an answer: the shortage is waived', async () => {
    await openEdit();
    await type('Discount Weight (MT)', '0.2');
    await type('Material Rate per MT', '0');
    await save();
    await expect.poll(sent).toEqual([
      {
        discountWeight: '0.20',
        shortageAmount: '200.00',
        materialShortageAmount: '0.00',
        netAmountPayable: '21358.00',
        version: 1,
      },
    ]);
  });

  it('a TDS percentage that is not that of the owner’s last other challan is named once it is typed, and saved all the same', async () => {
    desk.books.challans = [
      { ...storedChallan, tdsPercentage: '9.0' },
      { ...storedChallan, id: idOf(77), tdsPercentage: '1.0' },
    ];
    await openEdit();
    expect(desk.calls(list, listFields)).toEqual([]);
    await type('TDS Percentage', '3');
    const percentage = field('TDS Percentage');
    await expect.element(percentage).toHaveAccessibleDescription('The owner’s last other challan has 1.0 %');
    await type('TDS Percentage', '1');
    await expect.element(percentage).not.toHaveAccessibleDescription('The owner’s last other challan has 1.0 %');
    await type('TDS Percentage', '3');
    await save();
    await expect.poll(sent).toMatchObject([{ tdsPercentage: '3.0' }]);
  });

  it('clearing the pump sends it as none, with the liters at 0', async () => {
    await openEdit();
    await userEvent.click(button('Clear Petrol Pump'));
    await save();
    await expect
      .poll(sent)
      .toEqual([
        { petrolPumpId: null, hsdInLiters: '0.00', hsdAmount: '0.00', netAmountPayable: '29758.00', version: 1 },
      ]);
  });

  it('a challan stored without its percentage shows it worked back, and sends it once a weight is changed', async () => {
    showing({ tdsPercentage: null });
    await openEdit();
    await expect.element(field('TDS Percentage')).toHaveValue('2.0');
    await type('Rate per MT', '1100');
    await save();
    await expect.poll(sent).toEqual([
      {
        ratePerMT: '1100.00',
        tdsPercentage: '2.0',
        tdsAmount: '706.20',
        shortageAmount: '330.00',
        netAmountPayable: '23903.80',
        version: 1,
      },
    ]);
  });
});

describe('while the challan is loading', () => {
  it('keys meant for the form do nothing else: no screen is left, nothing is saved, nothing is typed later', async () => {
    const answer = desk.hold(get);
    const router = await open(`/challans/edit/${storedChallan.id}`);
    await expect.element(page.getByText('Loading the challan')).toBeInTheDocument();
    expect(focused()).toBe('Edit Challan');
    // "g d" would go to the dashboard, "?" open the help, Ctrl+S the browser's own dialog.
    await keys('gd?');
    expect(router.state.navigation.state).toBe('idle');
    const press = { key: 's', code: 'KeyS', ctrlKey: true, bubbles: true, cancelable: true };
    for (const place of [document.activeElement, document.body]) {
      expect(place?.dispatchEvent(new KeyboardEvent('keydown', press))).toBe(false);
    }
    expect(page.getByRole('dialog').elements()).toEqual([]);
    answer();
    await focusOn('TP No');
    expect(router.state.location.pathname).toBe(`/challans/edit/${storedChallan.id}`);
    await expect.element(field('TP No')).toHaveValue(storedChallan.tpNo);
    expect(sent()).toEqual([]);
  });
});

describe('what may not be changed, or is asked about', () => {
  it('the owner is locked, with the reason; Clear and Cancel and Update stand there', async () => {
    await openEdit();
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Edit Challan');
    await expect.element(field('Owner Name')).toHaveAttribute('readonly');
    await expect.element(field('Owner Name')).toHaveAccessibleDescription('Owner is fixed once saved');
    await expect.element(field('Owner Contact Number')).toHaveAttribute('readonly');
    for (const name of ['Update Challan', 'Cancel', 'Clear Form', 'Back to Challans']) {
      await expect.element(button(name)).toBeInTheDocument();
    }
    expect(desk.calls(list, listFields)).toEqual([]);
  });

  it("another vehicle fills its type, says whose it is, and leaves the challan's owner", async () => {
    addTruck(desk, 'OD 2', tarini, { typeOfVehicle: 'Trailer', noOfWheels: 18 });
    await openEdit();
    await type('Vehicle No', 'OD 2');
    await expect.element(field('Vehicle No')).toHaveAccessibleDescription(/belongs to Maa Tarini/);
    await save();
    await expect.poll(sent).toEqual([{ vehicleNo: 'OD 2', vehicleType: 'Trailer', vehicleWheel: 18, version: 1 }]);
  });

  it('money on a paid challan asks first; its remarks do not', async () => {
    showing({ paymentStatus: true });
    await openEdit();
    await type('Office Charges', '200');
    await save();
    const question = page.getByRole('alertdialog');
    await expect.element(question).toHaveTextContent('₹20,758.00');
    await expect.element(question).toHaveTextContent('₹20,658.00');
    await keys('{Escape}');
    await expect.element(question).not.toBeInTheDocument();
    expect(sent()).toEqual([]);
    await type('Office Charges', '100');
    await type('Remarks', 'Seen');
    await save();
    await expect.poll(sent).toEqual([{ remarks: 'Seen', version: 1 }]);
  });

  it('changing TP or HSD of a verified challan says that the verification goes', async () => {
    showing({ hsdVerified: true });
    await openEdit();
    const note = page.getByText(/Saving clears the HSD verification/);
    expect(note.elements()).toHaveLength(0);
    await type('TP No', 'TP-32');
    await expect.element(note).toBeInTheDocument();
  });

  it('a challan that is not there says so', async () => {
    await open(`/challans/edit/${idOf(77)}`);
    await expect.element(page.getByText('Challan not found')).toBeInTheDocument();
    await expect.element(page.getByRole('link', { name: 'Back to Challans' })).toHaveAttribute('href', '/challans');
  });

  it('a challan that cannot be had now can be asked for again', async () => {
    desk.once(get, () => refusal('INTERNAL_ERROR', 'The database is away'));
    await open(`/challans/edit/${storedChallan.id}`);
    await expect.element(page.getByRole('alert')).toHaveTextContent('The database is away');
    await expect.element(page.getByRole('alert')).toHaveTextContent('Request request-1');
    await userEvent.click(button('Retry'));
    await expect.element(field('TP No')).toHaveValue(storedChallan.tpNo);
  });
});

describe('a conflict', () => {
  it('shows mine and theirs, keeps what was typed, takes over the rest, and saves on the new version', async () => {
    const theirs: Challan = {
      ...storedChallan,
      remarks: 'Theirs',
      driverName: 'Their driver',
      advanceMoney: '1500.00',
      netAmountPayable: '20258.00',
      version: 4,
    };
    desk.once(update, () => refusal('VERSION_CONFLICT', 'Changed', { data: theirs }));
    await openEdit();
    await type('Remarks', 'Mine');
    await type('Advance Money', '');
    await save();
    const problem = page.getByText('There is a problem');
    await expect.element(problem).toBeInTheDocument();
    await type('Advance Money', '3000');
    await save();

    const panel = page.getByRole('status').filter({ hasText: 'was changed by someone else' });
    await expect.element(panel).toHaveFocus();
    await expect.element(problem).not.toBeInTheDocument();
    const rows = panel
      .getByRole('row')
      .elements()
      .slice(1)
      .map((row) => [...row.children].map((cell) => cell.textContent));
    expect(rows).toEqual([
      ['Advance Money', '3,000.00', '1,500.00', 'Use theirs'],
      ['Driver Name', 'not changed', 'Their driver', 'taken over'],
      ['Remarks', 'Mine', 'Theirs', 'Use theirs'],
    ]);
    await expect.element(field('Driver Name')).toHaveValue('Their driver');
    await expect.element(field('Remarks')).toHaveValue('Mine');
    await userEvent.click(button('Use theirs for Advance Money'));
    await expect.element(field('Advance Money')).toHaveValue('1,500.00');
    await expect.element(field('Net Amount Payable')).toHaveValue('20,258.00');
    await save();
    await expect.poll(() => sent()[1]).toEqual({ remarks: 'Mine', version: 4 });
  });
});
