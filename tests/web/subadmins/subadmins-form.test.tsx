import { afterEach, expect, test } from 'vitest';
import { contract } from '../../../src/shared/contract/index.ts';
import { buildSubadmin, idOf, subadminsOf } from '../support/builders.ts';
import { refusal, speechless } from '../support/fake-server.ts';
import { fakeServer } from '../support/records.ts';
import {
  button,
  cellText,
  closeApp,
  dialog,
  expectMessage,
  field,
  fill,
  focusPlace,
  goToCell,
  openAdmin,
  page,
  press,
  saveKeys,
  toasts,
  userEvent,
} from '../support/screen.tsx';

afterEach(closeApp);

const errorAlert = () => dialog('Add New Subadmin').getByRole('alert');
const complete = {
  Email: ' Office@Balaji.example ',
  Password: ' secret ',
  'Banner Name': ' Shree Balaji ',
  'GST No': '21abcde1234f1z5',
  'Contact Number': '98765 43210',
  'Office Address': ' NH 520, Barbil ',
};

test('each rule of a new one is said when its field is left', async () => {
  fakeServer({ subadmins: subadminsOf(1) });
  await openAdmin('/admin/subadmins');
  await userEvent.click(button('Add New Subadmin'));
  await expect.element(dialog('Add New Subadmin')).toBeInTheDocument();
  await expectMessage('Email', '', 'Please enter the email of the subadmin');
  await expectMessage('Email', 'desk@', 'Please enter a valid email');
  await expectMessage('Password', '', 'Please enter a password for the subadmin');
  await expectMessage('Password', '12345', 'Password must be at least 6 characters');
  await expectMessage('Banner Name', ' ', 'Please enter banner name');
  await expectMessage('GST No', '', 'Please enter GST number');
  await expectMessage('Contact Number', '', 'Please enter contact number');
  await expectMessage('Contact Number', '987654321', 'Please enter valid 10 digit contact number');
  await expectMessage('Contact Number', '+919876543210', 'Please enter valid 10 digit contact number');
  await expectMessage('Office Address', '', 'Please enter office address');
  expect(dialog('Add New Subadmin').getByRole('switch').elements()).toHaveLength(0);
});

test('each rule of an edit is said when its field is left: another contact rule, and the password may be blank', async () => {
  fakeServer({ subadmins: subadminsOf(1) });
  await openAdmin('/admin/subadmins');
  await goToCell(1, 'bannerName');
  await press('{F2}');
  await expect.element(dialog('Edit Subadmin')).toBeInTheDocument();
  await expectMessage('Email', '', 'Please enter the email of the subadmin');
  await expectMessage('Email', 'desk', 'Please enter a valid email');
  await expectMessage('Password', '12345', 'Password must be at least 6 characters');
  await expectMessage('Password', '', 'Leave blank to keep the password');
  await expectMessage('Banner Name', '', 'Please enter banner name');
  await expectMessage('GST No', '', 'Please enter GST number');
  await expectMessage('Office Address', '', 'Please enter office address');
  await expectMessage('Contact Number', '', 'Please enter contact number');
  for (const wrong of ['0987654321', '+0987', '1234567890123456', '98-76', '+']) {
    await expectMessage('Contact Number', wrong, 'Please enter a valid contact number');
  }
  for (const right of ['+919876543210', '9', '123456789012345']) {
    await expectMessage('Contact Number', right, 'Up to 15 digits, with or without +');
  }
});

test('N creates, and the six fields are sent as they are stored', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(1) });
  await openAdmin('/admin/subadmins');
  await press('n');
  await fill(complete);
  await saveKeys();
  await expect.poll(toasts).toEqual(['Subadmin created successfully']);
  expect(desk.writes(contract.subadmins.create)).toEqual([
    {
      email: 'office@balaji.example',
      password: ' secret ',
      bannerName: 'Shree Balaji',
      gstNo: '21ABCDE1234F1Z5',
      contactNumber: '9876543210',
      officeAddress: 'NH 520, Barbil',
    },
  ]);
  await expect.element(dialog('Add New Subadmin')).not.toBeInTheDocument();
  await expect.poll(() => cellText(91, 'bannerName')).toBe('Shree Balaji');
});

/** How often a sentence can be seen. */
const shownTimes = (text: string): number =>
  [...document.querySelectorAll('[role="dialog"] *')].filter(
    (item) => item.childElementCount === 0 && item.textContent === text && !item.classList.contains('sr-only'),
  ).length;

test('a failed creation keeps the modal with its alert, not a toast', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(1) });
  await openAdmin('/admin/subadmins');
  await press('n');
  await fill(complete);
  desk.once(contract.subadmins.create, speechless);
  await saveKeys();
  await expect.element(errorAlert()).toHaveTextContent('ErrorFailed to create subadmin');
  const message = 'This email is already in use';
  desk.once(contract.subadmins.create, () => refusal('EMAIL_IN_USE', message, { fields: { email: message } }));
  await saveKeys();
  await expect.element(errorAlert()).toHaveTextContent(`Error${message}`);
  await expect.element(field('Email')).toHaveAccessibleDescription(message);
  expect(shownTimes(message)).toBe(1);
  await expect.element(errorAlert().getByText('Request request-1', { exact: true })).toBeInTheDocument();
  await expect.element(field('Email')).toHaveFocus();
  await expect.element(field('Banner Name')).toHaveValue(complete['Banner Name']);
  expect(toasts()).toEqual([]);
  await userEvent.fill(field('Email'), 'another@balaji.example');
  await saveKeys();
  await expect.poll(toasts).toEqual(['Subadmin created successfully']);
});

test('pressed twice, one account is created', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(1) });
  await openAdmin('/admin/subadmins');
  await press('n');
  await fill(complete);
  const wait = desk.hold(contract.subadmins.create, () => refusal('INTERNAL_ERROR', 'no'));
  await saveKeys();
  await saveKeys();
  wait();
  await expect.element(errorAlert()).toBeInTheDocument();
  expect(desk.calls(contract.subadmins.create)).toHaveLength(1);
});

test('an edit with nothing changed says so and closes', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(1) });
  await openAdmin('/admin/subadmins');
  await goToCell(1, 'bannerName');
  await press('e');
  await expect.element(field('Banner Name')).toHaveValue('Carriers 001');
  await expect.element(field('Password')).toHaveValue('');
  await saveKeys();
  await expect.poll(toasts).toEqual(['No changes detected']);
  await expect.element(dialog('Edit Subadmin')).not.toBeInTheDocument();
  expect(desk.writes()).toEqual([]);
  await expect.poll(focusPlace).toBe('1 bannerName');
});

test('an edit sends only what was changed; a blank password is not sent', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(2) });
  await openAdmin('/admin/subadmins');
  await goToCell(2, 'bannerName');
  await press('e');
  await fill({ 'Contact Number': '+919876543210' });
  await userEvent.click(page.getByRole('switch', { name: 'Active' }));
  await userEvent.click(page.getByRole('switch', { name: 'Directory of owners' }));
  desk.once(contract.subadmins.update, speechless);
  await saveKeys();
  await expect.poll(toasts).toEqual(['Failed to edit subadmin']);
  await saveKeys();
  await expect.poll(toasts).toContain('Subadmin updated successfully');
  expect(desk.calls(contract.subadmins.update).map(({ path, body }) => ({ path, body }))).toEqual(
    Array.from({ length: 2 }, () => ({
      path: `/subadmins/${idOf(2)}`,
      body: { contactNumber: '+919876543210', isActive: false, isInDirectory: false, version: 1 },
    })),
  );
  await expect
    .poll(() => [cellText(2, 'contactNumber'), cellText(2, 'isActive')])
    .toEqual(['+919876543210', 'Inactive']);
  await expect.poll(focusPlace).toBe('2 bannerName');
});

test('a new password alone is a change, sent as it was typed', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(1) });
  await openAdmin('/admin/subadmins');
  await goToCell(1, 'bannerName');
  await press('e');
  await fill({ Password: '      ' });
  await saveKeys();
  await expect.poll(toasts).toEqual(['Subadmin updated successfully']);
  expect(desk.writes(contract.subadmins.update)).toEqual([{ password: '      ', version: 1 }]);
});

test('one that is gone says so', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(2) });
  await openAdmin('/admin/subadmins');
  await goToCell(2, 'bannerName');
  await press('e');
  await fill({ 'Banner Name': 'Other' });
  desk.books.subadmins = subadminsOf(1);
  await saveKeys();
  await expect.poll(toasts).toEqual(['Subadmin not found']);
});

test('changed elsewhere meanwhile: both are shown, and nothing typed is lost', async () => {
  const desk = fakeServer({ subadmins: subadminsOf(1) });
  await openAdmin('/admin/subadmins');
  await goToCell(1, 'bannerName');
  await press('e');
  await fill({ 'Banner Name': 'Mine' });
  desk.books.subadmins = [buildSubadmin(1, { bannerName: 'Theirs', isActive: false, version: 5 })];
  await saveKeys();
  await expect
    .element(page.getByText('This subadmin was changed by someone else while you were editing'))
    .toBeVisible();
  await expect.element(page.getByRole('row', { name: /Status not changed Inactive taken over/ })).toBeVisible();
  await expect.element(page.getByRole('switch', { name: 'Active' })).not.toBeChecked();
  await expect.element(field('Banner Name')).toHaveValue('Mine');
  await saveKeys();
  await expect.poll(toasts).toEqual(['Subadmin updated successfully']);
  expect(desk.writes(contract.subadmins.update).at(-1)).toEqual({ bannerName: 'Mine', version: 5 });
});
