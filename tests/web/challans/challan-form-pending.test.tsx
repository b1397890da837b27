import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { endSession } from '../../../src/web/kit/api/session-store.ts';
import { idOf } from '../support/builders.ts';
import {
  addTruck,
  button,
  coal,
  create,
  field,
  fillChallan,
  focusOn,
  focused,
  formDesk,
  goTo,
  keys,
  list,
  listFields,
  lookUp,
  openEdit,
  openNew,
  ore,
  ravi,
  remember,
  storageKey,
  storedChallan,
  tarini,
  type,
  update,
  type FormDesk,
} from '../support/challan-form.ts';
import { refusal } from '../support/fake-server.ts';
import { closeApp, page, userEvent } from '../support/screen.tsx';

/** The form on a slow network: what is typed faster than it answers is never lost, and nothing older is saved instead. */
let desk: FormDesk;
beforeEach(() => {
  desk = formDesk();
});
afterEach(closeApp);

const save = () => keys('{Control>}s{/Control}');
const updates = () => desk.writes(update);
const creates = () => desk.writes(create);
/** What was created, once it is remembered as well: the next test begins without it. */
async function created(): Promise<unknown> {
  await expect.element(page.getByText(/Challan created successfully/)).toBeInTheDocument();
  return creates()[0];
}
const summary = () => page.getByRole('alert');

/** The latest: a machine that is busy may type slowly enough for one more before it. */
const searchedTag = () =>
  desk
    .asks(contract.tags.list)
    .map(({ search }) => search)
    .filter(Boolean)
    .at(-1);

describe('a picker left before its search has answered', () => {
  it.each([
    ['Ctrl+S in the field', '{Control>}s{/Control}'],
    ['Tab, then Ctrl+S', '{Tab}{Control>}s{/Control}'],
    ['Enter, then Ctrl+S', '{Enter}{Control>}s{/Control}'],
  ])('%s saves what was typed, not the tag before', async (_how, way) => {
    const letGo = desk.holdAll(contract.tags.list);
    await openEdit();
    goTo('Tag');
    await keys(`iron${way}`);
    await expect.poll(searchedTag).toBe('iron');
    expect(updates()).toEqual([]);
    letGo();
    await expect.poll(updates).toEqual([{ tagId: ore.id, version: 1 }]);
    expect(page.getByText('No changes detected').elements()).toEqual([]);
  });

  it('over a remembered tag too', async () => {
    remember({ tag: { id: coal.id, name: coal.name, color: coal.color } });
    await openNew();
    await fillChallan();
    const letGo = desk.holdAll(contract.tags.list);
    goTo('Tag');
    await keys('iron{Control>}s{/Control}');
    await expect.poll(searchedTag).toBe('iron');
    letGo();
    expect(await created()).toMatchObject({ tagId: ore.id });
  });

  it('text without a match stops the saving, with the words at the field and a link to it', async () => {
    await openEdit();
    goTo('Tag');
    await keys('KALINGA{Control>}s{/Control}');
    await expect.element(summary()).toHaveFocus();
    await expect.element(summary().getByRole('link')).toHaveTextContent('No tag matches "KALINGA"');
    await expect.element(field('Tag')).toHaveValue('KALINGA');
    expect(updates()).toEqual([]);
    await keys('{F8}');
    await expect.poll(() => focused()).toBe('Tag');
    await keys('iron');
    await expect.element(field('Tag')).not.toHaveAttribute('aria-invalid');
    await save();
    await expect.poll(updates).toEqual([{ tagId: ore.id, version: 1 }]);
  });

  it('no answer at all: the tag before is not saved in its place', async () => {
    desk.serve(contract.tags.list, () => refusal('INTERNAL_ERROR', 'Broken'));
    await openEdit();
    goTo('Tag');
    await keys('iron{Control>}s{/Control}');
    await expect.element(summary().getByRole('link')).toHaveTextContent('Broken');
    await expect.element(field('Tag')).toHaveValue('iron');
    expect(updates()).toEqual([]);
  });

  it('the list names the request that failed', async () => {
    desk.serve(contract.tags.list, () => refusal('INTERNAL_ERROR', 'Broken'));
    await openEdit();
    goTo('Tag');
    await keys('iron');
    await expect.element(page.getByText('Request request-1')).toBeVisible();
  });

  it('Enter goes on at once: the next keys are the next field’s', async () => {
    const letGo = desk.holdAll(contract.tags.list);
    await openNew();
    goTo('Tag');
    await keys('iron{Enter}HP J');
    await expect.poll(() => focused()).toBe('Petrol Pump');
    await expect.element(field('Petrol Pump')).toHaveValue('HP J');
    await expect.element(field('Tag')).toHaveValue('iron');
    expect(page.getByText('Please select a tag').elements()).toEqual([]);
    letGo();
    await expect.element(field('Tag')).toHaveValue('Iron Ore');
    await expect.element(field('Petrol Pump')).toHaveValue('HP J');
    expect(focused()).toBe('Petrol Pump');
  });

  it('an owner that comes late fills the contact number, which the next typing replaces', async () => {
    let letGo = desk.holdAll(contract.owners.search);
    await openNew();
    goTo('Owner Name');
    await keys('ravi{Enter}');
    await expect.poll(() => focused()).toBe('Owner Contact Number');
    letGo();
    await expect.element(field('Owner Contact Number')).toHaveValue(ravi.contactNumber);
    await keys('9876543210');
    await expect.element(field('Owner Contact Number')).toHaveValue('9876543210');
    // Typed before the answer, it is the newer word.
    await keys('{Control>}{Shift>}l{/Shift}{/Control}');
    await expect.element(field('Owner Name')).toHaveValue('');
    letGo = desk.holdAll(contract.owners.search);
    goTo('Owner Name');
    await keys('ravi r{Enter}5551234567');
    letGo();
    await expect.element(field('Owner Name')).toHaveValue(ravi.name);
    await expect.element(field('Owner Contact Number')).toHaveValue('5551234567');
    expect(page.getByText('Owner not linked').elements()).toEqual([]);
  });

  it('an owner that comes together with another answer, too', async () => {
    const letRecentGo = desk.holdAll(list);
    const letGo = desk.holdAll(contract.owners.search);
    await openNew();
    goTo('Owner Name');
    await keys('ravi{Enter}');
    await expect.poll(() => focused()).toBe('Owner Contact Number');
    await expect.poll(() => desk.calls(contract.owners.search).length).toBe(1);
    letRecentGo();
    letGo();
    await expect.element(field('Owner Contact Number')).toHaveValue(ravi.contactNumber);
    await keys('9876543210');
    await expect.element(field('Owner Contact Number')).toHaveValue('9876543210');
  });

  it('Clear Form takes text without a match along', async () => {
    await openNew();
    goTo('Tag');
    await keys('KALINGA{Tab}');
    await expect.element(field('Tag')).toHaveAccessibleDescription('No tag matches "KALINGA"');
    await keys('{Control>}{Shift>}l{/Shift}{/Control}');
    await expect.element(field('Tag')).toHaveValue('');
    await expect.element(field('Tag')).not.toHaveAccessibleDescription();
  });

  it('the owner of a truck dialog likewise', async () => {
    const letGo = desk.holdAll(contract.owners.search);
    desk.serve(contract.trucks.create, () => refusal('TRUCK_EXISTS', 'Exists'));
    await openNew();
    await type('Vehicle No', 'OD 77');
    await expect.element(button('Create truck')).toBeInTheDocument();
    goTo('Vehicle No');
    await keys('{Alt>}c{/Alt}');
    const dialog = page.getByRole('dialog', { name: 'Add New Truck' });
    await userEvent.fill(dialog.getByRole('textbox', { name: 'Wheels' }), '14');
    const owner = dialog.getByRole('combobox', { name: 'Owner Name' }).element();
    if (owner instanceof HTMLElement) owner.focus();
    await keys('tarini{Control>}{Enter}{/Control}');
    await expect.poll(() => desk.calls(contract.owners.search).length).toBe(1);
    expect(desk.calls(contract.trucks.create)).toEqual([]);
    letGo();
    await expect.poll(() => desk.calls(contract.trucks.create).length).toBe(1);
    expect(desk.writes(contract.trucks.create)[0]).toMatchObject({ ownerId: tarini.id });
  });
});

describe('the TDS percentage of another owner', () => {
  beforeEach(() => {
    const owner = { id: tarini.id, name: tarini.name, contactNumber: tarini.contactNumber, holdReason: '' };
    desk.books.challans = [{ ...storedChallan, id: idOf(32), owner, tdsPercentage: '5.0' }, storedChallan];
    addTruck(desk, 'OD 2', tarini);
  });
  it.each([
    ['a copied challan', () => openNew({ copyFrom: storedChallan.id })],
    ['a new challan', () => openNew().then(() => fillChallan(null))],
  ])('%s: saving right after another vehicle waits for it', async (_kind, start) => {
    await start();
    await expect.element(field('Owner Name')).toHaveValue(ravi.name);
    await expect.element(field('TDS Percentage')).toHaveValue('2.0');
    const letGo = desk.holdAll(listFields);
    goTo('Vehicle No');
    await keys('{Control>}a{/Control}OD 2{Control>}s{/Control}');
    await expect.element(field('Owner Name')).toHaveValue(tarini.name);
    await expect.element(field('TDS Percentage')).toHaveValue('');
    expect(creates()).toEqual([]);
    letGo();
    expect(await created()).toMatchObject({ ownerId: tarini.id, tdsPercentage: '5.0' });
  });

  it('what was typed stays, whoever the owner is', async () => {
    await openNew();
    await fillChallan('3');
    await type('Vehicle No', 'OD 2');
    await expect.element(field('Owner Name')).toHaveValue(tarini.name);
    await save();
    expect(await created()).toMatchObject({ ownerId: tarini.id, tdsPercentage: '3.0' });
  });

  it('when it cannot be had, that is said and nothing is guessed', async () => {
    await openNew({ copyFrom: storedChallan.id });
    await expect.element(field('TDS Percentage')).toHaveValue('2.0');
    desk.serve(listFields, () => refusal('INTERNAL_ERROR', 'Broken'));
    goTo('Vehicle No');
    await keys('{Control>}a{/Control}OD 2{Tab}');
    await expect
      .element(field('TDS Percentage'))
      .toHaveAccessibleDescription('The last TDS percentage of this owner could not be loaded. Enter it.');
    await expect.element(field('TDS Percentage')).toHaveValue('');
    await save();
    await expect.element(summary()).toHaveTextContent('Please enter TDS percentage');
    expect(creates()).toEqual([]);
  });

  it('back with the owner it was copied with, the copied one stands again; cleared, it is no copy any more', async () => {
    desk.books.challans = [{ ...storedChallan, tdsPercentage: '1.5' }];
    await openNew({ copyFrom: storedChallan.id });
    await expect.element(field('TDS Percentage')).toHaveValue('2.0');
    await type('Vehicle No', 'OD 2');
    await expect.element(field('Owner Name')).toHaveValue(tarini.name);
    await expect.element(field('TDS Percentage')).toHaveValue('');
    await type('Vehicle No', 'OD 09 AB 1234');
    await expect.element(field('Owner Name')).toHaveValue(ravi.name);
    await expect.element(field('TDS Percentage')).toHaveValue('2.0');
    await keys('{Control>}{Shift>}l{/Shift}{/Control}');
    await expect.element(field('TDS Percentage')).toHaveValue('');
    await type('Vehicle No', 'OD 09 AB 1234');
    await expect.element(field('TDS Percentage')).toHaveValue('1.5');
  });

  it('a vehicle whose lookup never answers is not saved with the owner before', async () => {
    await openNew({ copyFrom: storedChallan.id });
    await expect.element(field('Owner Name')).toHaveValue(ravi.name);
    desk.hold(lookUp);
    goTo('Vehicle No');
    await keys('{Control>}a{/Control}OD 3{Control>}s{/Control}');
    await expect.element(summary()).toHaveTextContent('Please enter owner name');
    expect(creates()).toEqual([]);
  });
});

describe('the draft', () => {
  const advance = (): unknown => {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey('draft:challan.create')) ?? 'null');
    // Safe: the form's own draft, or null.
    return (stored as { value: { values: Record<string, unknown> } } | null)?.value.values.advanceMoney;
  };

  it('holds the last keystroke when the session expires under it, and nothing after a Logout', async () => {
    await openNew();
    goTo('Advance Money');
    await keys('175');
    await expect.poll(advance).toBe('175');
    await keys('0');
    endSession('expired');
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Sign in');
    expect(advance()).toBe('1750');
    await openNewAgain();
    goTo('Advance Money');
    await keys('99');
    endSession('logout');
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Sign in');
    expect(advance()).toBeUndefined();
  });

  it('is written before the saving is sent', async () => {
    let drafted: unknown;
    desk.serve(create, () => {
      drafted = advance();
      return refusal('UNAUTHORIZED', 'Expired');
    });
    await openNew();
    await fillChallan();
    await expect.poll(advance).toBe('1000.00');
    goTo('Advance Money');
    await keys('1750{Control>}s{/Control}');
    await expect.poll(() => creates().length).toBe(1);
    expect(drafted).toBe('1750.00');
    await userEvent.click(page.getByRole('button', { name: 'Use another account' }));
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Sign in');
    expect(advance()).toBe('1750.00');
  });
});

async function openNewAgain(): Promise<void> {
  const { cleanup } = await import('@testing-library/react');
  cleanup();
  await openNew();
  await focusOn('TP No');
}
