import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { contract } from '../../src/shared/contract/index.ts';
import { endSession } from '../../src/web/api/session-store.ts';
import {
  button,
  coal,
  field,
  fillChallan,
  focused,
  focusOn,
  goTo,
  id,
  keys,
  openEdit,
  openNew,
  ore,
  ravi,
  refuse,
  remember,
  reply,
  startNetwork,
  stopNetwork,
  storageKey,
  storedChallan,
  tarini,
  type,
  type Network,
} from './challan-form-fixture.tsx';

/** The form on a slow network: what is typed faster than it answers is never lost, and nothing older is saved instead. */
let network: Network;
beforeEach(() => {
  network = startNetwork();
});
afterEach(stopNetwork);

const save = () => keys('{Control>}s{/Control}');
const updates = () => network.of(`PUT /challans/${storedChallan.id}`).map(({ body }) => body);
const creates = () => network.of('POST /challans').map(({ body }) => body);
/** What was created, once it is remembered as well: the next test begins without it. */
async function created(): Promise<unknown> {
  await expect.element(page.getByText(/Challan created successfully/)).toBeInTheDocument();
  return creates()[0];
}
const summary = () => page.getByRole('alert');

/** The call answers when it is let go. */
function held(call: string, answer: () => Response): () => void {
  let letGo: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  network.on(call, async () => {
    await gate;
    return answer();
  });
  return letGo;
}

const pageOf = (totalCount: number) => ({
  currentPage: 1,
  limit: 50,
  totalPages: 1,
  totalCount,
  hasNext: false,
  hasPrevious: false,
  offset: 0,
});
const tagsFound = (...data: (typeof coal)[]) => reply(contract.tags.list, { data, pagination: pageOf(data.length) });
const truckOf = (owner: typeof ravi) =>
  reply(contract.trucks.lookUp, {
    data: {
      owner: { id: owner.id, name: owner.name, contactNumber: owner.contactNumber },
      vehicle: { truckNumber: 'X', typeOfVehicle: 'Trailer', noOfWheels: 12 },
    },
  });
/** The latest: a machine that is busy may type slowly enough for one more before it. */
const searchedTag = () =>
  network
    .of('GET /tags')
    .map(({ query }) => query.get('search'))
    .filter(Boolean)
    .at(-1);

describe('a picker left before its search has answered', () => {
  it.each([
    ['Ctrl+S in the field', '{Control>}s{/Control}'],
    ['Tab, then Ctrl+S', '{Tab}{Control>}s{/Control}'],
    ['Enter, then Ctrl+S', '{Enter}{Control>}s{/Control}'],
  ])('%s saves what was typed, not the tag before', async (_how, way) => {
    const letGo = held('GET /tags', () => tagsFound(ore));
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
    const letGo = held('GET /tags', () => tagsFound(ore));
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
    network.on('GET /tags', () => refuse(500, { code: 'INTERNAL_ERROR', message: 'Broken' }));
    await openEdit();
    goTo('Tag');
    await keys('iron{Control>}s{/Control}');
    await expect.element(summary().getByRole('link')).toHaveTextContent('Broken');
    await expect.element(field('Tag')).toHaveValue('iron');
    expect(updates()).toEqual([]);
  });

  it('the list names the request that failed', async () => {
    network.on('GET /tags', () => refuse(500, { code: 'INTERNAL_ERROR', message: 'Broken' }));
    await openEdit();
    goTo('Tag');
    await keys('iron');
    await expect.element(page.getByText('Request r-1')).toBeVisible();
  });

  it('Enter goes on at once: the next keys are the next field’s', async () => {
    const letGo = held('GET /tags', () => tagsFound(ore));
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
    const answer = () =>
      reply(contract.owners.search, { results: [ravi], count: 1, searchTerm: 'ravi', pagination: pageOf(1) });
    let letGo = held('GET /owners/search', answer);
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
    letGo = held('GET /owners/search', answer);
    goTo('Owner Name');
    await keys('ravi r{Enter}5551234567');
    letGo();
    await expect.element(field('Owner Name')).toHaveValue(ravi.name);
    await expect.element(field('Owner Contact Number')).toHaveValue('5551234567');
    expect(page.getByText('Owner not linked').elements()).toEqual([]);
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
    const letGo = held('GET /owners/search', () =>
      reply(contract.owners.search, { results: [tarini], count: 1, searchTerm: 'tarini', pagination: pageOf(1) }),
    );
    network.on('POST /trucks', () => refuse(409, { code: 'TRUCK_EXISTS', message: 'Exists' }));
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
    await expect.poll(() => network.of('GET /owners/search').length).toBe(1);
    expect(network.of('POST /trucks')).toEqual([]);
    letGo();
    await expect.poll(() => network.of('POST /trucks').length).toBe(1);
    expect(network.of('POST /trucks')[0]?.body).toMatchObject({ ownerId: tarini.id });
  });
});

describe('the TDS percentage of another owner', () => {
  beforeEach(() => {
    const owner = { id: tarini.id, name: tarini.name, contactNumber: tarini.contactNumber, holdReason: '' };
    network.challans = [{ ...storedChallan, id: id(32), owner, tdsPercentage: '5.0' }, storedChallan];
    network.on('GET /trucks/vehicle/OD 2', () => truckOf(tarini));
  });
  const lastOf = (percentage: string) =>
    reply(contract.challans.list, {
      data: network.challans.filter((item) => item.tdsPercentage === percentage),
      pagination: pageOf(1),
      summary: {
        totalCount: 1,
        totalAmount: '0.00',
        paidCount: 0,
        paidAmount: '0.00',
        unpaidCount: 0,
        unpaidAmount: '0.00',
      },
    });

  it.each([
    ['a copied challan', () => openNew({ copyFrom: storedChallan.id })],
    ['a new challan', () => openNew().then(() => fillChallan(null))],
  ])('%s: saving right after another vehicle waits for it', async (_kind, start) => {
    await start();
    await expect.element(field('Owner Name')).toHaveValue(ravi.name);
    await expect.element(field('TDS Percentage')).toHaveValue('2.0');
    const letGo = held('GET /challans', () => lastOf('5.0'));
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
    network.on('GET /challans', () => refuse(500, { code: 'INTERNAL_ERROR', message: 'Broken' }));
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
    network.challans = [{ ...storedChallan, tdsPercentage: '1.5' }];
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
    network.on('GET /trucks/vehicle/OD 3', () => new Promise(() => undefined));
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
    network.on('POST /challans', () => {
      drafted = advance();
      return refuse(401, { code: 'UNAUTHORIZED', message: 'Expired' });
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
