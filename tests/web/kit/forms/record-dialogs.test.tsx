import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { render } from '@testing-library/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { contract } from '../../../../src/shared/contract/index.ts';
import type { Truck } from '../../../../src/shared/contract/trucks.ts';
import { listenForKeys } from '../../../../src/web/kit/actions/registry-keys.ts';
import { makeQueryClient } from '../../../../src/web/kit/api/query-client.ts';
import { startSession } from '../../../../src/web/kit/api/session-store.ts';
import { OwnerFormDialog } from '../../../../src/web/features/master-data/owner-form-dialog.tsx';
import { TruckFormDialog } from '../../../../src/web/features/master-data/truck-form-dialog.tsx';
import { ConfirmHost } from '../../../../src/web/kit/feedback/confirm.tsx';
import { Toaster } from '../../../../src/web/kit/feedback/toaster.tsx';
import { formDesk, ravi, tarini, type FormDesk } from '../../support/challan-form.ts';
import { closeApp, page, userEvent } from '../../support/screen.tsx';

let desk: FormDesk;
let stopKeys: () => void;
beforeEach(() => {
  desk = formDesk();
  stopKeys = listenForKeys(() => undefined);
  startSession({
    token: 'opaque-token-of-32-bytes',
    role: 'subadmin',
    user: { id: 'a@b.in', email: 'a@b.in', role: 'subadmin' },
  });
});
afterEach(async () => {
  stopKeys();
  await closeApp();
});

function show(dialog: React.ReactNode): void {
  render(
    <QueryClientProvider client={makeQueryClient()}>
      {dialog}
      <ConfirmHost />
      <Toaster />
    </QueryClientProvider>,
  );
}
const box = (name: string) => page.getByRole('textbox', { name, exact: true });
const save = () => userEvent.keyboard('{Control>}{Enter}{/Control}');

/** The stored truck, whose owner is Ravi. */
const truckOf = ({ books }: FormDesk): Truck => {
  const [truck] = books.trucks;
  if (!truck) throw new Error('There is a truck');
  return { ...truck };
};

it('an edit sends what was changed, with the version', async () => {
  const onSaved = vi.fn<() => void>();
  show(<OwnerFormDialog entriesKey="owners" record={ravi} onClose={() => undefined} onSaved={onSaved} />);
  await expect.element(page.getByRole('dialog', { name: 'Edit Owner' })).toBeInTheDocument();
  await userEvent.fill(box('Address'), 'Joda');
  await save();
  await expect.element(page.getByText('Owner updated successfully')).toBeInTheDocument();
  expect(desk.writes(contract.owners.update)).toEqual([{ address: 'Joda', version: 1 }]);
  expect(onSaved).toHaveBeenCalledOnce();
});

it('an edit that changes nothing says so and closes', async () => {
  const onClose = vi.fn<() => void>();
  show(<OwnerFormDialog entriesKey="owners" record={ravi} onClose={onClose} onSaved={() => undefined} />);
  await expect.element(box('Owner Name')).toHaveFocus();
  await save();
  await expect.element(page.getByText('No changes detected')).toBeInTheDocument();
  expect(onClose).toHaveBeenCalledOnce();
  expect(desk.writes(contract.owners.update)).toEqual([]);
});

it('a conflict keeps what was typed, takes over the rest and saves on the newer version', async () => {
  Object.assign(desk.books.owners[0] ?? {}, { name: 'Ravi & Sons', branchName: 'Joda', version: 7 });
  show(<OwnerFormDialog entriesKey="owners" record={ravi} onClose={() => undefined} onSaved={() => undefined} />);
  await userEvent.fill(box('Owner Name'), 'Mine');
  await save();
  await expect.element(page.getByText(/was changed by someone else/)).toBeInTheDocument();
  await expect.element(box('Owner Name')).toHaveValue('Mine');
  await expect.element(box('Branch Name')).toHaveValue('Joda');
  await save();
  await expect.poll(() => desk.writes(contract.owners.update)[1]).toEqual({ name: 'Mine', version: 7 });
});

it("a truck's conflict names the owners, and theirs can be taken", async () => {
  const truck = truckOf(desk);
  const theirs = { ...truck, ownerId: tarini.id, owner: { id: tarini.id, name: tarini.name }, version: 2 };
  desk.books.trucks = [theirs];
  show(<TruckFormDialog entriesKey="trucks" record={truck} onClose={() => undefined} onSaved={() => undefined} />);
  await userEvent.fill(box('Wheels'), '14');
  await save();
  await expect.element(page.getByRole('cell', { name: tarini.name })).toBeInTheDocument();
  await expect.element(page.getByRole('combobox', { name: 'Owner' })).toHaveValue(tarini.name);
  await expect.element(box('Wheels')).toHaveValue('14');
  await save();
  await expect.poll(() => desk.writes(contract.trucks.update)[1]).toEqual({ noOfWheels: 14, version: 2 });
});

it('errors stand beside their fields, in the words of the specification', async () => {
  show(<OwnerFormDialog entriesKey="owners" onClose={() => undefined} onSaved={() => undefined} />);
  await userEvent.fill(box('PAN Number'), 'abc');
  await userEvent.fill(box('IFSC Code'), 'sbin1');
  await userEvent.fill(box('Contact Number'), '12');
  await save();
  const dialog = page.getByRole('dialog');
  for (const words of [
    'Please enter valid PAN number (e.g., ABCDE1234F)',
    'IFSC code should be 11 characters',
    'Please enter a valid 10-digit contact number',
  ]) {
    await expect.element(dialog.getByText(words)).toBeInTheDocument();
  }
  await expect.element(box('PAN Number')).toHaveValue('ABC');
  await expect.element(box('Owner Name')).toHaveFocus();
  expect(desk.calls(contract.owners.create)).toEqual([]);
});
