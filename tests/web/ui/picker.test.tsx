import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cleanup, render } from '@testing-library/react';
import { page, userEvent } from 'vitest/browser';
import { useEffect, useState } from 'react';
import { Dialog } from '../../../src/web/ui/dialog.tsx';
import { Picker } from '../../../src/web/ui/picker.tsx';
import { askNothing, type PickerAsk } from '../../../src/web/ui/picker-state.ts';
import '../../../src/web/theme.css';

interface Owner {
  id: string;
  name: string;
}
const owners: Owner[] = Array.from({ length: 30 }, (_, index) => ({
  id: `o${index}`,
  name: `${['Ravi', 'Sunita', 'Manas'][index % 3]} Carriers ${index}`,
}));
const asked: string[] = [];
const onAdvance = vi.fn<() => void>();
const run = vi.fn<(text: string) => void>();
let picked: Owner | null = null;
let text = '';
let delayMs = 0;

/** A search that answers after `delayMs`, as a server would. */
function useSearch({ search, isActive }: PickerAsk) {
  const [found, setFound] = useState<{ search: string; items: Owner[] }>({ search: '-', items: [] });
  useEffect(() => {
    if (!isActive) return undefined;
    asked.push(search);
    const items = owners.filter((owner) => owner.name.toLowerCase().includes(search.toLowerCase()));
    const timer = setTimeout(() => setFound({ search, items }), delayMs);
    return () => clearTimeout(timer);
  }, [search, isActive]);
  return { search, items: found.items, isLoading: isActive && found.search !== search, total: found.items.length };
}

function Form({
  start = null,
  free = false,
  withCreate = true,
}: {
  start?: Owner | null;
  free?: boolean;
  withCreate?: boolean;
}) {
  const [owner, setOwner] = useState<Owner | null>(start);
  const [typed, setTyped] = useState(start?.name ?? '');
  const [ask, setAsk] = useState(askNothing);
  const found = useSearch(ask);
  // oxlint-disable-next-line react/globals -- read by the tests
  picked = owner;
  // oxlint-disable-next-line react/globals -- as above
  text = typed;
  return (
    <>
      <Picker<Owner>
        label="Owner Name"
        value={owner}
        onPick={(next) => {
          setOwner(next);
          if (next) setTyped(next.name);
        }}
        found={found}
        onAsk={setAsk}
        keyOf={(item) => item.id}
        textOf={(item) => item.name}
        debounceMs={40}
        onAdvance={onAdvance}
        {...(withCreate ? { create: { noun: 'owner', run } } : {})}
        {...(free ? { freeText: { text: typed, onTextChange: setTyped } } : {})}
      />
      <button type="button">Next</button>
    </>
  );
}

const box = () => page.getByRole('combobox');
const options = () =>
  page
    .getByRole('option')
    .elements()
    .map((item) => item.textContent ?? '');
const focusBox = (): void => document.querySelector('input')?.focus();

beforeEach(() => {
  asked.length = 0;
  picked = null;
  delayMs = 0;
  onAdvance.mockClear();
  run.mockClear();
});
afterEach(cleanup);

test('closed it asks nothing; opened by Alt+Down or F4 it shows the first ten', async () => {
  render(<Form withCreate={false} />);
  focusBox();
  expect(asked).toEqual([]);
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}');
  await expect.poll(() => options().length).toBe(10);
  expect(asked).toEqual(['']);
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => options().length).toBe(0);
  await userEvent.keyboard('{F4}');
  await expect.poll(() => options().length).toBe(10);
});

test('one letter searches nothing, two do, after the pause and for the newest typing only', async () => {
  render(<Form withCreate={false} />);
  focusBox();
  await userEvent.keyboard('s');
  await expect.poll(() => options().length).toBe(10);
  await userEvent.keyboard('unita');
  await expect.poll(() => options().filter((item) => item.startsWith('Sunita')).length).toBe(10);
  expect(asked.filter((search) => search.length === 1)).toEqual([]);
  expect(asked.at(-1)).toBe('sunita');
});

test('the number of results is read out', async () => {
  render(<Form withCreate={false} />);
  focusBox();
  await userEvent.keyboard('ravi');
  await expect.element(page.getByRole('status')).toHaveTextContent('10 results');
});

test('Enter picks the first result and goes on to the next field', async () => {
  render(<Form />);
  focusBox();
  await userEvent.keyboard('manas carriers 2');
  await expect.poll(() => options()[0]).toBe('Manas Carriers 2');
  await userEvent.keyboard('{Enter}');
  expect(picked?.id).toBe('o2');
  expect(onAdvance).toHaveBeenCalledTimes(1);
  await expect.element(box()).toHaveValue('Manas Carriers 2');
});

test('Enter before the answer has come waits for it and never picks from an older one', async () => {
  delayMs = 150;
  render(<Form />);
  focusBox();
  await userEvent.keyboard('{F4}');
  await expect.poll(() => options().length).toBeGreaterThan(9);
  await userEvent.keyboard('sunita carriers 4{Enter}');
  expect(picked).toBeNull();
  await expect.poll(() => picked?.id).toBe('o4');
  expect(onAdvance).toHaveBeenCalledTimes(1);
});

test('Tab leaves without picking when nothing was typed or moved, else takes the marked one', async () => {
  render(<Form />);
  focusBox();
  await userEvent.keyboard('{F4}');
  await expect.poll(() => options().length).toBeGreaterThan(9);
  await userEvent.keyboard('{Tab}');
  expect(picked).toBeNull();
  focusBox();
  await userEvent.keyboard('{F4}');
  await expect.poll(() => options().length).toBeGreaterThan(9);
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Tab}');
  expect(picked?.id).toBe('o1');
});

test('Escape closes and brings the selection back; a second one clears it', async () => {
  render(<Form start={owners[20] ?? null} />);
  focusBox();
  await userEvent.keyboard('xy{Escape}');
  await expect.element(box()).toHaveValue(owners[20]?.name ?? '');
  expect(picked?.id).toBe('o20');
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => picked).toBeNull();
});

test('the selected one is offered although it is not among the first ten', async () => {
  render(<Form start={owners[20] ?? null} withCreate={false} />);
  focusBox();
  await userEvent.keyboard('{F4}');
  await expect.poll(() => options().length).toBe(10);
  expect(options()[0]).toBe(owners[20]?.name);
  expect(page.getByRole('option', { selected: true }).elements()).toHaveLength(1);
});

test('the cross clears; emptying the text by hand does too', async () => {
  render(<Form start={owners[1] ?? null} />);
  await userEvent.click(page.getByRole('button', { name: 'Clear Owner Name' }));
  expect(picked).toBeNull();
  cleanup();
  render(<Form start={owners[1] ?? null} />);
  focusBox();
  await userEvent.keyboard('{Backspace}{Tab}');
  expect(picked).toBeNull();
});

test('text that is no item gives way to the selection on leaving', async () => {
  render(<Form start={owners[1] ?? null} />);
  focusBox();
  await userEvent.keyboard('nobody of that name{Tab}');
  await expect.element(box()).toHaveValue(owners[1]?.name ?? '');
});

test('no match: "Create …" with the typed text, by Enter on it or Alt+C', async () => {
  render(<Form />);
  focusBox();
  await userEvent.keyboard('Bijay Rout');
  await expect.poll(options).toEqual([expect.stringContaining('Create owner "Bijay Rout"')]);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  expect(run).toHaveBeenLastCalledWith('Bijay Rout');
  expect(onAdvance).not.toHaveBeenCalled();
  await userEvent.keyboard('Someone{Alt>}c{/Alt}');
  expect(run).toHaveBeenLastCalledWith('Someone');
});

test('free text is kept, and picking replaces it', async () => {
  render(<Form free />);
  focusBox();
  await userEvent.keyboard('New Owner{Tab}');
  expect(text).toBe('New Owner');
  await expect.element(box()).toHaveValue('New Owner');
  expect(picked).toBeNull();
});

test('inside a dialog Escape closes the list first, then the dialog', async () => {
  const onClose = vi.fn<() => void>();
  render(
    <Dialog open onClose={onClose} title="Truck">
      <Form />
    </Dialog>,
  );
  await userEvent.keyboard('{F4}');
  await expect.poll(() => options().length).toBeGreaterThan(9);
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => options().length).toBe(0);
  expect(onClose).not.toHaveBeenCalled();
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => onClose.mock.calls.length).toBe(1);
});
