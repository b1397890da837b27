import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import {
  addTruck,
  button,
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
  storedChallan,
  tarini,
  type,
  type FormDesk,
} from '../support/challan-form.ts';
import { refusal } from '../support/fake-server.ts';
import { closeApp, page, userEvent } from '../support/screen.tsx';

let desk: FormDesk;
beforeEach(() => {
  desk = formDesk();
});
afterEach(closeApp);

const lookups = () => desk.calls(lookUp);
const unlinked = () => page.getByText('Owner not linked');

describe('leaving Vehicle No', () => {
  it('fills owner and vehicle and says whose it is', async () => {
    await openNew();
    await type('Vehicle No', '  OD 09 AB 1234 ');
    await expect.element(page.getByText(`Owner and vehicle details loaded: ${ravi.name}`)).toBeInTheDocument();
    await expect.element(field('Owner Name')).toHaveValue(ravi.name);
    await expect.element(field('Owner Contact Number')).toHaveValue(ravi.contactNumber);
    await expect.element(field('Vehicle Type')).toHaveValue('Tipper');
    await expect.element(field('Vehicle Wheels')).toHaveValue('12');
    expect(lookups().map(({ path }) => decodeURIComponent(path))).toEqual(['/trucks/vehicle/OD 09 AB 1234']);
  });

  it('shows the number as it will be stored: as typed, upper-cased', async () => {
    await openNew();
    await type('Vehicle No', ' od-09 ab 1234');
    await expect.element(field('Vehicle No')).toHaveValue('OD-09 AB 1234');
  });

  it('the only truck that ends with the digits typed is taken, and its challans of the day are looked for', async () => {
    for (const number of ['OD09AB0777', 'OD02ZZ0009', 'OD00093456']) addTruck(desk, number, tarini);
    await openNew();
    await type('Vehicle No', '0009');
    await expect.element(field('Vehicle No')).toHaveValue('OD02ZZ0009');
    await expect.element(field('Owner Name')).toHaveValue(tarini.name);
    const trips = () => desk.asks(findDuplicates).map(({ vehicleNo }) => vehicleNo);
    await expect.poll(() => trips().at(-1)).toBe('OD02ZZ0009');
    // The whole number is known: passing through the field asks nothing.
    const asked = lookups().length;
    goTo('Vehicle No');
    await keys('{Enter}');
    await focusOn('Material');
    expect(lookups()).toHaveLength(asked);
  });

  it('where several trucks end with the digits, all are named and none is taken', async () => {
    for (const number of ['OD09AB0777', 'OD02ZZ0777']) addTruck(desk, number, ravi);
    await openNew();
    await type('Vehicle No', '0777');
    await expect
      .element(field('Vehicle No'))
      .toHaveAccessibleDescription('Several trucks end with 0777: OD09AB0777, OD02ZZ0777. Enter the whole number.');
    await expect.element(field('Vehicle No')).toHaveValue('0777');
    await expect.element(field('Owner Name')).toHaveValue('');
  });

  it('a number that is typed over meanwhile stays as typed', async () => {
    addTruck(desk, 'OD02ZZ0009', tarini);
    const answer = desk.hold(lookUp);
    await openNew();
    await type('Vehicle No', '0009');
    await expect.poll(() => lookups().length).toBe(1);
    await userEvent.fill(field('Vehicle No'), 'OD 09 AB 12');
    answer();
    await keys('34');
    goTo('Material');
    await expect.element(field('Owner Name')).toHaveValue(ravi.name);
    await expect.element(field('Vehicle No')).toHaveValue('OD 09 AB 1234');
  });

  it('the newest number wins, whatever order the answers come in', async () => {
    addTruck(desk, 'OD 1', ravi);
    const answerFirst = desk.hold(lookUp);
    addTruck(desk, 'OD 2', tarini);
    await openNew();
    await type('Vehicle No', 'OD 1');
    await type('Vehicle No', 'OD 2');
    await expect.element(field('Owner Name')).toHaveValue(tarini.name);
    answerFirst();
    await expect.poll(() => lookups().length).toBe(2);
    await expect.element(field('Owner Name')).toHaveValue(tarini.name);
  });

  it('an owner typed while it was under way is not overwritten', async () => {
    addTruck(desk, 'OD 1', ravi);
    const answer = desk.hold(lookUp);
    await openNew();
    await type('Vehicle No', 'OD 1');
    await userEvent.fill(field('Owner Name'), 'Somebody');
    answer();
    await expect.element(field('Vehicle Type')).toHaveValue('Trailer');
    await expect.element(field('Owner Name')).toHaveValue('Somebody');
  });

  it('an unknown number takes away silently what the one before had filled in, and only when it was changed', async () => {
    await openNew();
    await type('Vehicle No', 'OD 09 AB 1234');
    await expect.element(field('Owner Name')).toHaveValue(ravi.name);
    await type('Vehicle No', 'OD 77');
    for (const name of ['Owner Name', 'Owner Contact Number', 'Vehicle Type', 'Vehicle Wheels']) {
      await expect.element(field(name)).toHaveValue('');
    }
    // Picked by hand for a truck that is not in the list: passing through the field again must not undo it.
    await userEvent.fill(field('Owner Name'), 'tarini');
    await expect.element(page.getByRole('option', { name: tarini.name })).toBeInTheDocument();
    await keys('{Enter}');
    await expect.element(unlinked()).not.toBeInTheDocument();
    const asked = lookups().length;
    goTo('Vehicle No');
    await keys('{Enter}');
    await focusOn('Material');
    expect(lookups()).toHaveLength(asked);
    expect(unlinked().elements()).toHaveLength(0);
  });

  it('what was typed over a lookup stays when the next vehicle is unknown', async () => {
    await openNew();
    await type('Vehicle No', 'OD 09 AB 1234');
    await expect.element(field('Vehicle Wheels')).toHaveValue('12');
    await type('Vehicle Type', 'Hyva');
    await type('Owner Contact Number', '9000000001');
    await type('Vehicle No', 'OD 77');
    await expect.element(field('Vehicle Wheels')).toHaveValue('');
    await expect.element(field('Vehicle Type')).toHaveValue('Hyva');
    await expect.element(field('Owner Contact Number')).toHaveValue('9000000001');
  });

  it('nor is a former truck saved with another vehicle once its owner is chosen again', async () => {
    await openNew();
    await fillChallan();
    await type('Vehicle No', 'OD 77');
    await expect.element(field('Owner Name')).toHaveValue('');
    await userEvent.fill(field('Owner Name'), 'ravi');
    await expect.element(page.getByRole('option', { name: ravi.name })).toBeInTheDocument();
    await keys('{Enter}');
    await type('TDS Percentage', '2');
    await keys('{Control>}s{/Control}');
    await expect.poll(() => desk.calls(create).length).toBe(1);
    expect(desk.writes(create)[0]).toMatchObject({
      vehicleNo: 'OD 77',
      ownerId: ravi.id,
      vehicleType: '',
      vehicleWheel: null,
    });
  });

  it('a failing lookup is silent and is tried again', async () => {
    desk.serve(lookUp, () => refusal('INTERNAL_ERROR', 'Broken'));
    await openNew();
    await type('Vehicle No', 'OD 1');
    await expect.poll(() => lookups().length).toBe(1);
    // While the first one runs, no second one is sent; when it has failed cannot be seen.
    const leaveAgain = async (): Promise<number> => {
      goTo('Vehicle No');
      await keys('{Tab}');
      return lookups().length;
    };
    await expect.poll(leaveAgain).toBe(2);
    expect(page.getByText('Broken').elements()).toHaveLength(0);
  });

  it('wheels a challan cannot carry are left out, with the reason', async () => {
    addTruck(desk, 'OD 3', ravi, { noOfWheels: 3 });
    await openNew();
    await type('Vehicle No', 'OD 3');
    await expect.element(field('Vehicle Wheels')).toHaveAccessibleDescription(/The truck has 3/);
    await expect.element(field('Vehicle Wheels')).toHaveValue('');
  });
});

describe('made in place', () => {
  it('an unknown vehicle becomes a truck, with its owner, and fills the form', async () => {
    await openNew();
    await type('Vehicle No', 'od 88 zz 1');
    await expect.element(button('Create truck')).toBeInTheDocument();
    goTo('Vehicle No');
    await keys('{Alt>}c{/Alt}');
    const dialog = page.getByRole('dialog', { name: 'Add New Truck' });
    await expect.element(dialog.getByRole('textbox', { name: 'Truck Number' })).toHaveValue('OD 88 ZZ 1');
    await keys('{Control>}{Enter}{/Control}');
    await expect.element(dialog.getByText('Please select an owner')).toBeInTheDocument();
    await expect.element(dialog.getByText('Please enter number of wheels')).toBeInTheDocument();
    await userEvent.fill(dialog.getByRole('combobox', { name: 'Owner' }), 'tarini');
    await expect.element(page.getByRole('option', { name: tarini.name })).toBeInTheDocument();
    await keys('{Enter}');
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Wheels' }), '14');
    await keys('{Control>}s{/Control}');
    await expect.element(page.getByText('Truck created successfully')).toBeInTheDocument();
    expect(desk.writes(contract.trucks.create)[0]).toEqual({
      truckNumber: 'OD 88 ZZ 1',
      ownerId: tarini.id,
      noOfWheels: 14,
      typeOfVehicle: '',
    });
    await expect.element(field('Owner Name')).toHaveValue(tarini.name);
    await expect.element(field('Vehicle Wheels')).toHaveValue('14');
    await focusOn('Vehicle No');
  });

  it('a tag that is not there is created from its picker, and comes back chosen', async () => {
    await openNew();
    goTo('Tag');
    await keys('Baux');
    await expect.element(page.getByRole('option', { name: /Create tag/ })).toBeInTheDocument();
    await keys('{Alt>}c{/Alt}');
    const dialog = page.getByRole('dialog', { name: 'Add New Tag' });
    await expect.element(dialog.getByRole('textbox', { name: 'Tag Name' })).toHaveValue('Baux');
    await keys('ite{Enter}');
    await expect.element(page.getByText('Tag created successfully')).toBeInTheDocument();
    expect(desk.writes(contract.tags.create)[0]).toEqual({ name: 'Bauxite', color: '#3B82F6', description: '' });
    await expect.element(field('Tag')).toHaveValue('Bauxite');
    await focusOn('Tag');
    await keys('{Enter}');
    await expect.poll(() => focused()).toBe('Petrol Pump');
  });

  it('an owner is created whole; a dialog with typed text asks before it closes', async () => {
    await openNew();
    goTo('Owner Name');
    await keys('New Owner{Alt>}c{/Alt}');
    const dialog = page.getByRole('dialog', { name: 'Add New Owner' });
    await expect.element(dialog.getByRole('textbox', { name: 'Owner Name' })).toHaveValue('New Owner');
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Contact Number' }), '98765 43210');
    await keys('{Escape}');
    const question = page.getByRole('alertdialog');
    await expect.element(question).toHaveTextContent('Close without saving?');
    await keys('{Enter}');
    await expect.element(question).not.toBeInTheDocument();
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Account Number' }), '000123');
    await userEvent.fill(dialog.getByRole('textbox', { name: 'PAN Number' }), 'abcde1234f');
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Branch Name' }), 'Barbil');
    await keys('{Control>}{Enter}{/Control}');
    await expect.element(page.getByText('Owner created successfully')).toBeInTheDocument();
    expect(desk.writes(contract.owners.create)[0]).toEqual({
      name: 'New Owner',
      // As it is stored.
      contactNumber: '9876543210',
      address: '',
      accountNo: '000123',
      ifsc: '',
      panNo: 'ABCDE1234F',
      branchName: 'Barbil',
      language: 'English',
    });
    await expect.element(field('Owner Contact Number')).toHaveValue('9876543210');
    expect(unlinked().elements()).toHaveLength(0);
  });

  it('a refused pump keeps its dialog and shows the error at its field', async () => {
    desk.serve(contract.petrolPumps.create, () =>
      refusal('VALIDATION_ERROR', 'Invalid input', { fields: { name: 'This name is taken' } }),
    );
    await openNew();
    goTo('Petrol Pump');
    await keys('{Alt>}c{/Alt}');
    const dialog = page.getByRole('dialog', { name: 'Add New Petrol Pump' });
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Name', exact: true }), 'HP');
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Contact Number' }), '9437000000');
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Address' }), 'NH 5');
    await keys('{Tab}');
    await expect.element(dialog.getByText('Address must be at least 5 characters')).toBeInTheDocument();
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Address' }), 'NH 55');
    await userEvent.click(dialog.getByRole('button', { name: 'Create Petrol Pump' }));
    await expect.element(dialog.getByText('This name is taken')).toBeInTheDocument();
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Name', exact: true }), 'HP 2');
    await expect.element(dialog.getByText('This name is taken')).not.toBeInTheDocument();
  });
});

describe('owner, pump and TDS', () => {
  it('typing after choosing an owner unlinks it; choosing links it again with its contact', async () => {
    await openNew();
    await userEvent.fill(field('Owner Name'), 'ravi');
    await expect.element(page.getByRole('option', { name: ravi.name })).toBeInTheDocument();
    await keys('{Enter}');
    await expect.poll(() => focused()).toBe('Owner Contact Number');
    await expect.element(field('Owner Contact Number')).toHaveValue(ravi.contactNumber);
    goTo('Owner Name');
    await keys('{End}x{Tab}');
    await expect.element(unlinked()).toBeInTheDocument();
  });

  it('liters wait for a pump, and clearing the pump sets them to 0', async () => {
    await openNew();
    await expect.element(field('HSD in Liters')).toHaveAttribute('readonly');
    await expect.element(field('HSD in Liters')).toHaveAccessibleDescription('Choose a petrol pump');
    goTo('Petrol Pump');
    await keys('{F4}');
    await expect.element(page.getByRole('option', { name: pump.name })).toBeInTheDocument();
    await keys('{ArrowDown}{Enter}');
    await type('HSD Price per Liter', '90');
    await type('HSD in Liters', '');
    await expect.element(field('HSD in Liters')).toHaveAccessibleDescription('Please enter HSD in liters');
    await type('HSD in Liters', '100.5');
    await expect.element(field('HSD Amount')).toHaveValue('9,045.00');
    await userEvent.click(button('Clear Petrol Pump'));
    await expect.element(field('HSD in Liters')).toHaveValue('0.00');
    await expect.element(field('HSD Amount')).toHaveValue('0.00');
    await expect.element(field('HSD in Liters')).toHaveAttribute('readonly');
  });

  it('TDS is the one last used for the owner, never over what was typed', async () => {
    desk.books.challans = [{ ...storedChallan, tdsPercentage: '1.5' }];
    await openNew();
    await type('Vehicle No', 'OD 09 AB 1234');
    await expect.element(field('TDS Percentage')).toHaveValue('1.5');
    await type('TDS Percentage', '3');
    await userEvent.fill(field('Owner Name'), 'tarini');
    await expect.element(page.getByRole('option', { name: tarini.name })).toBeInTheDocument();
    await keys('{Enter}');
    await expect.element(field('Owner Contact Number')).toHaveValue(tarini.contactNumber);
    await expect.element(field('TDS Percentage')).toHaveValue('3.0');
  });

  it('TDS is empty for an owner without a challan', async () => {
    await openNew();
    await type('Vehicle No', 'OD 09 AB 1234');
    await expect.element(field('Owner Name')).toHaveValue(ravi.name);
    await expect.element(field('TDS Percentage')).toHaveValue('');
  });
});
