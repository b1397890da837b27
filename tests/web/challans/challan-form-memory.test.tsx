import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { endSession } from '../../../src/web/kit/api/session-store.ts';
import { today } from '../../../src/web/kit/forms/day-field.tsx';
import { idOf } from '../support/builders.ts';
import {
  button,
  coal,
  create,
  field,
  fillChallan,
  focusOn,
  formDesk,
  goTo,
  keys,
  list,
  open,
  openEdit,
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
import { refusal } from '../support/fake-server.ts';
import { closeApp, page, userEvent } from '../support/screen.tsx';

let desk: FormDesk;
beforeEach(() => {
  desk = formDesk();
});
afterEach(closeApp);

const draftOf = (name: string): unknown => JSON.parse(localStorage.getItem(storageKey(`draft:${name}`)) ?? 'null');
const offer = () => page.getByRole('status').filter({ hasText: 'A draft from' });
const leaving = () => page.getByRole('alertdialog', { name: 'Leave without saving?' });

describe('prefill', () => {
  it('remembered values, then defaults; over nothing that was typed, and the focus stays', async () => {
    remember({ tpNo: 'TP-1', material: 'Coal', loadingDate: '2026-11-01', depositedAt: '2026-11-05' });
    await open('/challans/create');
    await focusOn('TP No');
    // Within the 100 ms before the prefill.
    await keys('N');
    await expect.element(field('Material')).toHaveValue('Coal');
    await expect.element(field('TP No')).toHaveValue('N');
    await focusOn('TP No');
    await expect.element(field('Loading Date')).toHaveValue('01/11/2026');
    await expect.element(field('Unloading Date')).toHaveValue('01/11/2026');
    await expect.element(field('Deposited On')).toHaveValue('05/11/2026');
  });

  it('the remembered TP number is selected, so that typing replaces it', async () => {
    remember({ tpNo: 'TP-1' });
    await openNew();
    await expect.element(field('TP No')).toHaveValue('TP-1');
    await expect.poll(() => getSelection()?.toString()).toBe('TP-1');
    await keys('TP-2');
    await expect.element(field('TP No')).toHaveValue('TP-2');
  });

  it('what is filled into a field that was walked on to meanwhile is selected as well', async () => {
    remember({ loadingDate: '2026-11-01' });
    await open('/challans/create');
    await focusOn('TP No');
    // Within the 100 ms before the prefill.
    goTo('Loading Date');
    await expect.element(field('Loading Date')).toHaveValue('01/11/2026');
    await keys('10/11/2026{Enter}');
    await expect.element(field('Loading Date')).toHaveValue('10/11/2026');
  });

  it('remembered values outlive Logout on the server, without a trace in the browser or of an account', async () => {
    const { preferences: kept } = desk.books;
    await openNew();
    await fillChallan();
    goTo('Discounter');
    await keys('tarini');
    await expect.element(page.getByRole('option', { name: tarini.name })).toBeInTheDocument();
    await keys('{Enter}{Control>}s{/Control}');
    await expect.poll(() => kept.get('challan-form.remembered')).toContain('"material":"Coal"');
    for (const secret of [tarini.accountNo, tarini.panNo]) {
      expect(kept.get('challan-form.remembered')).not.toContain(secret);
    }
    cleanup();
    endSession('logout');
    const left = JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]);
    for (const value of ['Talcher', 'TP-900', tarini.name]) expect(left).not.toContain(value);

    await openNew();
    await expect.element(field('Material')).toHaveValue('Coal');
    await expect.element(field('Discounter')).toHaveValue(tarini.name);
    await expect.element(field('Advance Money')).toHaveValue('1,000.00');
    await focusOn('TP No');
    await keys('TP-901{Enter}');
    await focusOn('Vehicle No');
  });

  it('this device keeps its own, where somebody else has entered challans since', async () => {
    desk.books.preferences.set('challan-form.remembered', JSON.stringify({ material: 'Iron ore' }));
    remember({ material: 'Coal' });
    await openNew();
    await expect.element(field('Material')).toHaveValue('Coal');
  });

  it('what is typed, and what the vehicle brought, before the server has answered stays', async () => {
    const earlier = { tpNo: 'TP-1', material: 'Coal', loadingPlace: 'Talcher' };
    desk.books.preferences.set('challan-form.remembered', JSON.stringify(earlier));
    const answer = desk.hold(contract.preferences.list);
    await open('/challans/create');
    await focusOn('TP No');
    await keys('TP-7');
    await type('Vehicle No', 'OD 09 AB 1234');
    await expect.element(field('Owner Name')).toHaveValue(ravi.name);
    await type('Material', 'Fines');
    answer();
    await expect.element(field('Loading Place')).toHaveValue('Talcher');
    await expect.element(field('TP No')).toHaveValue('TP-7');
    await expect.element(field('Material')).toHaveValue('Fines');
    await expect.element(field('Owner Name')).toHaveValue(ravi.name);
  });

  it('corrupt remembered values are removed and ignored, the sound ones kept', async () => {
    remember({ tpNo: 'TP-1', loadingDate: '2026-13-45', tag: 'Coal', petrolPump: { id: 5 }, material: 'Coal', x: 1 });
    await openNew();
    await expect.element(field('Material')).toHaveValue('Coal');
    await expect.element(field('Tag')).toHaveValue('');
    await expect.element(field('Petrol Pump')).toHaveValue('');
    expect(JSON.parse(localStorage.getItem(storageKey('challan-form.remembered')) ?? '')).toEqual({
      tpNo: 'TP-1',
      material: 'Coal',
    });
  });

  it('the unloading date keeps the distance of the challan before', async () => {
    remember({ loadingDate: '2026-11-01', tripDays: 2 });
    await openNew();
    await expect.element(field('Unloading Date')).toHaveValue('03/11/2026');
    await type('Loading Date', '30/11/2026');
    await expect.element(field('Unloading Date')).toHaveValue('02/12/2026');
  });

  it('nothing of an owner or a pump lies in storage but its id and name; what lay there is cleaned when it is read', async () => {
    const whole = { ...ravi, trucks: [{ truckNumber: 'OD 1' }] };
    remember({ tpNo: 'TP-1', discounter: whole, petrolPump: pump });
    const old = { values: { discounter: whole, remarks: 'Wet' }, version: undefined };
    localStorage.setItem(
      storageKey('draft:challan.create'),
      JSON.stringify({ value: old, savedAt: '2026-11-20T05:00:00.000Z' }),
    );
    const stored = () => Object.values(localStorage).join();
    await openNew();
    await expect.element(field('Discounter')).toHaveValue(ravi.name);
    for (const secret of [
      ravi.accountNo,
      ravi.panNo,
      ravi.branchName,
      'OD 1',
      ravi.contactNumber,
      pump.contactNumber,
    ]) {
      expect(stored()).not.toContain(secret);
    }
    await userEvent.click(button('Discard'));
    goTo('Discounter');
    await keys('{Control>}a{/Control}tarini');
    await expect.element(page.getByRole('option', { name: tarini.name })).toBeInTheDocument();
    await keys('{Enter}');
    await expect
      .poll(() => draftOf('challan.create'))
      .toMatchObject({
        value: { values: { discounter: { id: tarini.id, name: tarini.name } } },
      });
    for (const secret of [tarini.accountNo, tarini.panNo, tarini.branchName, tarini.contactNumber]) {
      expect(stored()).not.toContain(secret);
    }
  });

  it('the unloading date follows the loading date until it is typed itself', async () => {
    await openNew();
    await type('Loading Date', '10/11/2026');
    await expect.element(field('Unloading Date')).toHaveValue('10/11/2026');
    await type('Unloading Date', '11/11/2026');
    await type('Loading Date', '09/11/2026');
    await expect.element(field('Unloading Date')).toHaveValue('11/11/2026');
  });

  it('a copied challan comes with its values, without payment and deposit', async () => {
    desk.books.challans = [{ ...storedChallan, id: idOf(77), tdsPercentage: '5.0' }];
    await openNew({ copyFrom: storedChallan.id });
    // Its own, not what was last deducted for the owner.
    await expect.element(field('TDS Percentage')).toHaveValue('2.0');
    await expect.element(field('TP No')).toHaveValue(storedChallan.tpNo);
    await expect.element(field('Owner Name')).toHaveValue(storedChallan.ownerName);
    await expect.element(field('Net Amount Payable')).toHaveValue('21,358.00');
    await expect.element(field('Deposited On')).toHaveValue(today().split('-').toReversed().join('/'));
    await expect.element(page.getByRole('checkbox', { name: 'Payment Done' })).not.toBeChecked();
    await expect.element(field('TDS Percentage')).toHaveValue('2.0');
  });

  it('a copied challan has the present name of an owner that was renamed since', async () => {
    desk.stored = { ...storedChallan, ownerName: 'Ravi Kumar & Brothers' };
    await openNew({ copyFrom: storedChallan.id });
    await expect.element(field('Owner Name')).toHaveValue(storedChallan.owner.name);
    await expect.element(page.getByText('Owner not linked')).not.toBeInTheDocument();
  });

  it('a copied challan says which deduction it could not bring along', async () => {
    desk.stored = { ...storedChallan, materialShortageAmount: '150.00' };
    await openNew({ copyFrom: storedChallan.id });
    const notice = page.getByText('has a material shortage of ₹150.00.');
    await expect.element(notice).toBeVisible();
    await type('Material Rate per MT', '300');
    await expect.element(notice).not.toBeInTheDocument();
  });
});

describe('drafts', () => {
  it('hold what was typed, are offered with their time, and restored over nothing newly typed', async () => {
    await openNew();
    await type('Driver Name', 'Sunil');
    await type('Remarks', 'Wet load');
    goTo('Tag');
    await keys('{F4}');
    await expect.element(page.getByRole('option', { name: 'Coal' })).toBeInTheDocument();
    await keys('{ArrowDown}{Enter}');
    await expect
      .poll(() => draftOf('challan.create'))
      .toMatchObject({
        value: { values: { driverName: 'Sunil', remarks: 'Wet load', tag: { id: coal.id, name: 'Coal' } } },
      });
    await reopen();
    await expect.element(offer()).toHaveTextContent(/A draft from \d\d\/\d\d\/\d{4} \d\d:\d\d was not saved/);
    await expect.element(field('Driver Name')).toHaveValue('');
    await type('Remarks', 'Dry');
    await userEvent.click(button('Restore'));
    await expect.element(field('Driver Name')).toHaveValue('Sunil');
    await expect.element(field('Tag')).toHaveValue('Coal');
    await expect.element(field('Remarks')).toHaveValue('Dry');
    await expect.element(offer()).not.toBeInTheDocument();
  });

  it('an offer that is not answered is not lost under new typing', async () => {
    await openNew();
    await type('Driver Name', 'Sunil');
    await expect.poll(() => draftOf('challan.create')).not.toBeNull();
    await reopen();
    await type('Remarks', 'New');
    await expect
      .poll(() => draftOf('challan.create'))
      .toMatchObject({ value: { values: { driverName: 'Sunil', remarks: 'New' } } });
  });

  it('Discard forgets it', async () => {
    await openNew();
    await type('Driver Name', 'Sunil');
    await expect.poll(() => draftOf('challan.create')).not.toBeNull();
    await reopen();
    await userEvent.click(button('Discard'));
    await expect.element(offer()).not.toBeInTheDocument();
    expect(draftOf('challan.create')).toBeNull();
    await focusOn('TP No');
  });

  it('is gone once the challan is saved', async () => {
    await openNew();
    await fillChallan();
    await expect.poll(() => draftOf('challan.create')).not.toBeNull();
    await keys('{Control>}s{/Control}');
    await expect.poll(() => desk.calls(create).length).toBe(1);
    await expect.poll(() => draftOf('challan.create')).toBeNull();
  });

  it('survives an expired session, not a Logout; one of an edit belongs to its challan', async () => {
    await openEdit();
    await type('Remarks', 'Checked');
    await expect
      .poll(() => draftOf(`challan.edit.${storedChallan.id}`))
      .toMatchObject({ value: { values: { remarks: 'Checked' }, version: 1 } });
    endSession('expired');
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Sign in');
    expect(draftOf(`challan.edit.${storedChallan.id}`)).not.toBeNull();
    await reopen(`/challans/edit/${storedChallan.id}`);
    await expect.element(offer()).toBeInTheDocument();
    endSession('logout');
    expect(draftOf(`challan.edit.${storedChallan.id}`)).toBeNull();
  });

  it('a corrupt draft is no offer', async () => {
    localStorage.setItem(
      storageKey('draft:challan.create'),
      JSON.stringify({ value: { values: { tpNo: 7 } }, savedAt: 'x' }),
    );
    await openNew();
    expect(offer().elements()).toHaveLength(0);
    expect(draftOf('challan.create')).toBeNull();
  });
});

async function reopen(path = '/challans/create'): Promise<void> {
  const { cleanup } = await import('@testing-library/react');
  cleanup();
  open(path);
  await focusOn('TP No');
  await expect.element(field('Deposited On')).not.toHaveValue('');
}

describe('Clear Form', () => {
  it('clears, says so, and gives everything back for ten seconds but what was typed since', async () => {
    await openNew();
    await type('Driver Name', 'Sunil');
    await type('Remarks', 'Wet load');
    await keys('{Control>}{Shift>}l{/Shift}{/Control}');
    await expect.element(page.getByText('Form cleared. Ready for new challan!')).toBeInTheDocument();
    await expect.element(field('Driver Name')).toHaveValue('');
    await focusOn('TP No');
    await type('Remarks', 'Dry');
    await userEvent.click(button('Undo'));
    await expect.element(field('Driver Name')).toHaveValue('Sunil');
    await expect.element(field('Remarks')).toHaveValue('Dry');
  });

  it('is taken back with Ctrl+Z where clearing has put the focus', async () => {
    await openNew();
    await type('Driver Name', 'Sunil');
    await keys('{Control>}{Shift>}l{/Shift}{/Control}');
    await expect.element(field('Driver Name')).toHaveValue('');
    await expect.element(field('TP No')).toHaveFocus();
    await keys('{Control>}z{/Control}');
    await expect.element(field('Driver Name')).toHaveValue('Sunil');
  });

  it('on edit it goes back to what is stored', async () => {
    await openEdit();
    await type('Remarks', 'Wet load');
    await userEvent.click(button('Clear Form'));
    await expect.element(page.getByText('Form cleared successfully')).toBeInTheDocument();
    await expect.element(field('Remarks')).toHaveValue('');
    await expect.element(field('Material')).toHaveValue(storedChallan.material);
  });
});

describe('leaving', () => {
  it('Escape leaves an untouched form, and asks where something was typed', async () => {
    const router = await open('/challans/create');
    await focusOn('TP No');
    await type('Remarks', 'x');
    await keys('{Escape}');
    await expect.element(leaving()).toBeInTheDocument();
    await userEvent.click(button('Stay'));
    await expect.element(leaving()).not.toBeInTheDocument();
    expect(router.state.location.pathname).toBe('/challans/create');
    await userEvent.fill(field('Remarks'), '');
    await userEvent.click(button('Back to Challans'));
    await expect.poll(() => router.state.location.pathname).toBe('/challans');
  });

  it('the browser asks before the tab closes, only while something is unsaved', async () => {
    await openNew();
    const asks = (): boolean => {
      const event = new Event('beforeunload', { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(asks()).toBe(false);
    await type('Remarks', 'x');
    await expect.poll(asks).toBe(true);
  });
});

describe('recent challans', () => {
  const polls = () => desk.calls(list).filter(({ headers, query }) => headers.has('x-background') && !query.ownerId);

  it('are asked for again and again, in the background, newest first, and no more once the screen is left', async () => {
    desk.books.challans = [storedChallan];
    const router = await open('/challans/create');
    await expect.element(page.getByRole('link', { name: /CH-2627-000031/ })).toBeInTheDocument();
    expect(polls()[0]?.query).toEqual({
      page: '1',
      limit: '8',
      sortBy: 'createdAt',
      sortOrder: 'desc',
    });
    await expect.poll(() => polls().length).toBeGreaterThan(2);
    await router.navigate('/tags');
    await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent('Tags');
    const before = polls().length;
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(polls()).toHaveLength(before);
  });

  it('never two at once, slower after errors, and silent', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      let underWay = 0;
      let most = 0;
      desk.serve(list, async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setTimeout(resolve, 20));
        underWay -= 1;
        return refusal('INTERNAL_ERROR', 'Broken');
      });
      await openNew();
      /** What was asked is answered, and the screen has it. */
      const settled = async (): Promise<void> => {
        for (let times = 0; times < 2; times += 1) {
          await new Promise((resolve) => setTimeout(resolve, 40));
          await expect.poll(() => underWay).toBe(0);
        }
      };
      await expect.poll(() => polls().length).toBe(1);
      await settled();
      const after = async (ms: number): Promise<number> => {
        const before = polls().length;
        vi.advanceTimersByTime(ms);
        await settled();
        return polls().length - before;
      };
      expect(await after(2_100)).toBe(0);
      expect(await after(2_000)).toBe(1);
      expect(await after(4_000)).toBe(0);
      expect(await after(60_000)).toBeGreaterThan(0);
      expect(most).toBe(1);
      expect(page.getByText('Broken').elements()).toHaveLength(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
