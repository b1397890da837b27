import { afterEach, expect, test } from 'vitest';
import { cleanup, render } from '@testing-library/react';
import { page, userEvent } from 'vitest/browser';
import { useEffect, useState } from 'react';
import { listenForKeys } from '../../../../src/web/kit/actions/registry-keys.ts';
import { useActions } from '../../../../src/web/kit/actions/registry.ts';
import { Dialog } from '../../../../src/web/kit/ui/dialog.tsx';
import { Select } from '../../../../src/web/kit/ui/select-field.tsx';
import { withoutPause } from '../../in-the-gap.ts';
import '../../../../src/web/theme.css';

afterEach(cleanup);

const tags = ['All tags', 'BAUXITE', 'COAL', 'COAL FINES', 'IRON ORE', 'MARKET'];
const options = tags.map((label) => ({ value: label.toLowerCase(), label }));
const chosen: string[] = [];
const pressed: string[] = [];

function Screen({ start = 'all tags', lockedReason }: { start?: string; lockedReason?: string }) {
  const [value, setValue] = useState(start);
  useActions([
    { id: 'pay', label: 'Pay', keys: 'M', scope: 'Test', run: () => pressed.push('M') },
    {
      id: 'page',
      label: 'Page',
      keys: 'Ctrl+A',
      scope: 'Test',
      notWhileTyping: true,
      run: () => pressed.push('Ctrl+A'),
    },
    { id: 'clear', label: 'Clear', keys: 'Esc', scope: 'Test', notWhileTyping: true, run: () => pressed.push('Esc') },
  ]);
  useEffect(() => listenForKeys(() => undefined), []);
  return (
    <div style={{ display: 'flex' }}>
      <Select
        label="Tag"
        value={value}
        options={options}
        lockedReason={lockedReason}
        onValueChange={(next) => {
          chosen.push(next);
          setValue(next);
        }}
      />
      <button type="button">After</button>
    </div>
  );
}

const box = () => page.getByRole('combobox', { name: 'Tag', exact: true });
const list = () => document.querySelector('[role="listbox"]');
const active = () => document.getElementById(box().element().getAttribute('aria-activedescendant') ?? '')?.textContent;
const press = (keys: string) => userEvent.keyboard(keys);

async function start(props: Parameters<typeof Screen>[0] = {}): Promise<void> {
  chosen.length = 0;
  pressed.length = 0;
  render(<Screen {...props} />);
  await press('{Tab}');
  await expect.element(box()).toHaveFocus();
}

test('closed, it changes nothing by a key: letters, Ctrl+A and Escape are those of the screen', async () => {
  await start();
  await press('m');
  await press('{Control>}a{/Control}');
  await press('{Escape}');
  await expect.poll(() => pressed).toEqual(['M', 'Ctrl+A', 'Esc']);
  expect(chosen).toEqual([]);
  expect(list()).toBeNull();
});

test.each([
  ['Enter', '{Enter}'],
  ['Space', ' '],
  ['the down arrow', '{ArrowDown}'],
  ['the up arrow', '{ArrowUp}'],
  ['Alt+Down', '{Alt>}{ArrowDown}{/Alt}'],
  ['F4', '{F4}'],
])('%s opens it on what is chosen, and changes nothing', async (_name, keys) => {
  await start({ start: 'coal' });
  await press(keys);
  await expect.element(box()).toHaveAttribute('aria-expanded', 'true');
  expect(active()).toBe('COAL');
  expect(document.querySelector('[role="option"][aria-selected="true"]')?.textContent).toBe('COAL');
  expect(chosen).toEqual([]);
});

test.each([
  ['Enter', '{Enter}'],
  ['Space', ' '],
  ['Tab', '{Tab}'],
  ['Alt+Up', '{Alt>}{ArrowUp}{/Alt}'],
])('the arrows, Home and End walk; %s takes what is marked', async (_name, keys) => {
  await start();
  await press('{Enter}{ArrowDown}{ArrowDown}');
  await expect.poll(() => active()).toBe('COAL');
  await press('{End}');
  await expect.poll(() => active()).toBe('MARKET');
  await press('{ArrowDown}');
  await expect.poll(() => active()).toBe('MARKET');
  await press('{Home}{ArrowUp}');
  await expect.poll(() => active()).toBe('All tags');
  await press(`{ArrowDown}${keys}`);
  await expect.poll(() => chosen).toEqual(['bauxite']);
  await expect.element(box()).toHaveTextContent('BAUXITE');
  expect(list()).toBeNull();
  await expect.element(keys === '{Tab}' ? page.getByRole('button', { name: 'After' }) : box()).toHaveFocus();
});

test('letters search only while it is open, a word of several letters too; the same letter walks on', async () => {
  await start();
  await press('{Enter}m');
  await expect.poll(() => active()).toBe('MARKET');
  expect(pressed).toEqual([]);
  await press('{Escape}{Enter}c');
  await expect.poll(() => active()).toBe('COAL');
  await press('c');
  await expect.poll(() => active()).toBe('COAL FINES');
  await withoutPause(() => press('{Escape}{Enter}coal f'));
  await expect.poll(() => active()).toBe('COAL FINES');
  await press('{Enter}');
  await expect.poll(() => chosen).toEqual(['coal fines']);
});

test('Escape closes it without a change, and does not reach the screen', async () => {
  await start();
  await press('{Enter}{ArrowDown}{Escape}');
  expect(list()).toBeNull();
  expect(chosen).toEqual([]);
  expect(pressed).toEqual([]);
  await expect.element(box()).toHaveFocus();
});

test('in a dialog Escape closes the list first, then the dialog', async () => {
  function InDialog() {
    const [isOpen, setOpen] = useState(true);
    return (
      isOpen && (
        <Dialog title="Filter" onClose={() => setOpen(false)}>
          <Screen />
        </Dialog>
      )
    );
  }
  render(<InDialog />);
  await expect.element(box()).toHaveFocus();
  await press('{Enter}{Escape}');
  expect(list()).toBeNull();
  await expect.element(page.getByRole('dialog')).toBeVisible();
  await press('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
});

test('the mouse opens it, chooses, and closes it by a click elsewhere', async () => {
  await start();
  await userEvent.click(box());
  await userEvent.click(page.getByRole('option', { name: 'IRON ORE' }));
  await expect.poll(() => chosen).toEqual(['iron ore']);
  await expect.element(box()).toHaveFocus();
  await userEvent.click(box());
  await expect.element(box()).toHaveAttribute('aria-expanded', 'true');
  await userEvent.click(page.getByRole('button', { name: 'After' }));
  expect(list()).toBeNull();
  expect(chosen).toEqual(['iron ore']);
});

test('locked, it can be reached, says why, and does not open', async () => {
  await start({ lockedReason: 'Nothing to choose from' });
  await press('{Enter}');
  await userEvent.click(box(), { force: true });
  expect(list()).toBeNull();
  await expect.element(box()).toHaveAccessibleDescription('Nothing to choose from');
  await expect.element(box()).toHaveAttribute('aria-disabled', 'true');
});
