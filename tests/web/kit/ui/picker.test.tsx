import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { act, cleanup, render } from '@testing-library/react';
import { page, userEvent } from 'vitest/browser';
import { useEffect, useState } from 'react';
import { Dialog } from '../../../../src/web/kit/ui/dialog.tsx';
import { Picker } from '../../../../src/web/kit/ui/picker.tsx';
import { inactiveQuery, type PickerQuery } from '../../../../src/web/kit/ui/picker-state.ts';
import '../../../../src/web/theme.css';

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
/** Answers that wait for `answer`; undefined: each comes at once. */
let held: Set<() => void> | undefined;
function answer(): void {
  const waiting = held ?? [];
  held = undefined;
  act(() => waiting.forEach((give) => give()));
}
/** A search that is still under way when the test ends. */
let unanswered: string | undefined;
let failure: string | undefined;
let problem: string | undefined;
const pending: Promise<void>[] = [];
const onBlur = vi.fn<() => void>();

/** A search that answers later, as a server would. */
function useSearch({ search, isActive }: PickerQuery) {
  const [found, setFound] = useState<{ search: string; items: Owner[] }>({ search: '-', items: [] });
  useEffect(() => {
    if (!isActive) return undefined;
    asked.push(search);
    if (search === unanswered) return undefined;
    const items = failure ? [] : owners.filter((owner) => owner.name.toLowerCase().includes(search.toLowerCase()));
    const give = (): void => setFound({ search, items });
    const waiting = held;
    if (waiting) {
      waiting.add(give);
      return () => void waiting.delete(give);
    }
    const timer = setTimeout(give, 0);
    return () => clearTimeout(timer);
  }, [search, isActive]);
  const isLoading = isActive && found.search !== search;
  return { search, isActive, items: found.items, isLoading, total: found.items.length, error: failure };
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
  const [ask, setAsk] = useState(inactiveQuery);
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
        onQuery={setAsk}
        keyOf={(item) => item.id}
        textOf={(item) => item.name}
        debounceMs={40}
        onAdvance={onAdvance}
        onBlur={onBlur}
        onProblem={(next) => (problem = next)}
        onPending={(settling) => pending.push(settling)}
        {...(withCreate ? { create: { noun: 'owner', run } } : {})}
        {...(free ? { freeText: { text: typed, onTextChange: setTyped } } : {})}
      />
      <button type="button">Next</button>
      <button type="button" onClick={() => setOwner(owners[9] ?? null)}>
        Prefill
      </button>
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
  held = undefined;
  unanswered = undefined;
  failure = undefined;
  problem = undefined;
  pending.length = 0;
  onBlur.mockClear();
  onAdvance.mockReset();
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
  // In one turn: between single letters a busy machine pauses longer than the search waits.
  for (const letter of 'unita') document.execCommand('insertText', false, letter);
  await expect.poll(() => asked.at(-1)).toBe('sunita');
  await expect.poll(() => options().filter((item) => item.startsWith('Sunita')).length).toBe(10);
  expect(asked.filter((search) => search.length === 1)).toEqual([]);
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
  await expect.poll(() => picked?.id).toBe('o2');
  expect(onAdvance).toHaveBeenCalledTimes(1);
  await expect.element(box()).toHaveValue('Manas Carriers 2');
});

test('Enter before the answer has come waits for it and never picks from an older one', async () => {
  render(<Form />);
  focusBox();
  await userEvent.keyboard('{F4}');
  await expect.poll(() => options().length).toBeGreaterThan(9);
  held = new Set();
  await userEvent.keyboard('sunita carriers 4{Enter}');
  expect(picked).toBeNull();
  answer();
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
  await expect.poll(() => picked?.id).toBe('o1');
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

describe('leaving before the search has answered', () => {
  const next = (): void => document.querySelector<HTMLElement>('button:not([tabindex])')?.focus();
  const announced = () => page.getByRole('status');

  test.each([
    ['Tab', () => userEvent.keyboard('{Tab}')],
    ['Shift+Tab', () => userEvent.keyboard('{Shift>}{Tab}{/Shift}')],
    ['another field', async () => next()],
    ['Ctrl+S', () => userEvent.keyboard('{Control>}s{/Control}')],
    ['Ctrl+Enter', () => userEvent.keyboard('{Control>}{Enter}{/Control}')],
    ['saving, which blurs it', async () => document.querySelector('input')?.blur()],
  ])('by %s: the pick follows, and saving can wait for it', async (_way, leave) => {
    held = new Set();
    render(<Form start={owners[20] ?? null} />);
    focusBox();
    await userEvent.keyboard('sunita carriers 4');
    await leave();
    expect(picked?.id).toBe('o20');
    expect(problem).toBe('"sunita carriers 4" is not chosen from the list yet');
    await expect.element(box()).toHaveValue('sunita carriers 4');
    expect(pending).toHaveLength(1);
    answer();
    await pending[0];
    await expect.poll(() => picked?.id).toBe('o4');
    expect(problem).toBeUndefined();
    await expect.element(box()).toHaveValue('Sunita Carriers 4');
  });

  test('the field is judged once it is settled, not by its old value', async () => {
    held = new Set();
    render(<Form />);
    focusBox();
    await userEvent.keyboard('sunita carriers 4{Tab}');
    expect(onBlur).not.toHaveBeenCalled();
    answer();
    await expect.poll(() => picked?.id).toBe('o4');
    expect(onBlur).toHaveBeenCalledTimes(1);
  });

  test('Enter goes on at once; what is typed then is the next field’s', async () => {
    held = new Set();
    onAdvance.mockImplementation(next);
    render(<Form />);
    focusBox();
    await userEvent.keyboard('sunita carriers 4{Enter}');
    await expect.poll(() => document.activeElement?.textContent).toBe('Next');
    expect(picked).toBeNull();
    answer();
    await expect.poll(() => picked?.id).toBe('o4');
    expect(document.activeElement?.textContent).toBe('Next');
    expect(onAdvance).toHaveBeenCalledTimes(1);
  });

  test('without a match the text stays, marked and announced, and the focus where it is', async () => {
    held = new Set();
    onAdvance.mockImplementation(next);
    render(<Form start={owners[1] ?? null} />);
    focusBox();
    await userEvent.keyboard('nobody of that name{Enter}');
    answer();
    await expect.element(announced()).toHaveTextContent('Owner Name: No owner matches "nobody of that name"');
    await expect.element(box()).toHaveValue('nobody of that name');
    await expect.element(box()).toHaveAttribute('aria-invalid', 'true');
    await expect.element(box()).toHaveAccessibleDescription('No owner matches "nobody of that name"');
    expect(problem).toBe('No owner matches "nobody of that name"');
    expect(document.activeElement?.textContent).toBe('Next');
    expect(picked?.id).toBe('o1');
    // Back in it: typing replaces the text, Escape brings the selection back.
    focusBox();
    await userEvent.keyboard('manas');
    await expect.element(box()).toHaveValue('manas');
    await expect.element(box()).not.toHaveAttribute('aria-invalid');
    await userEvent.keyboard('{Escape}');
    await expect.element(box()).toHaveValue(owners[1]?.name ?? '');
    expect(problem).toBeUndefined();
  });

  test('typing on in the same field takes the pick back', async () => {
    unanswered = 'sunita carriers 4';
    render(<Form />);
    focusBox();
    await userEvent.keyboard('sunita carriers 4{Enter}{Control>}a{/Control}manas carriers 5');
    await pending[0];
    await expect.poll(() => options()[0]).toBe('Manas Carriers 5');
    expect(picked).toBeNull();
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => picked?.id).toBe('o5');
  });

  test('a value set from outside ends the waiting', async () => {
    held = new Set();
    render(<Form />);
    focusBox();
    await userEvent.keyboard('sunita carriers 4{Tab}');
    await userEvent.click(page.getByRole('button', { name: 'Prefill' }));
    await pending[0];
    await expect.element(box()).toHaveValue('Ravi Carriers 9');
    expect(problem).toBeUndefined();
    answer();
    await expect.element(box()).toHaveValue('Ravi Carriers 9');
    expect(picked?.id).toBe('o9');
  });

  test('a search that fails keeps the text and says so', async () => {
    failure = 'Failed to search owners';
    render(<Form start={owners[1] ?? null} />);
    focusBox();
    await userEvent.keyboard('sunita{Tab}');
    await expect.element(box()).toHaveAccessibleDescription('Failed to search owners');
    await expect.element(box()).toHaveValue('sunita');
    expect(picked?.id).toBe('o1');
  });

  test('one letter names only the item that is called so', async () => {
    render(<Form start={owners[1] ?? null} />);
    focusBox();
    await userEvent.keyboard('r{Tab}');
    await expect.element(box()).toHaveAccessibleDescription('No owner matches "r": type two letters or more');
    expect(picked?.id).toBe('o1');
  });

  test('a window that loses the focus leaves no field', async () => {
    render(<Form start={owners[1] ?? null} />);
    focusBox();
    await userEvent.keyboard('sunita');
    await expect.poll(() => options()[0]).toContain('Sunita');
    document.querySelector('input')?.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
    expect(options()[0]).toContain('Sunita');
    await expect.element(box()).toHaveValue('sunita');
    expect(picked?.id).toBe('o1');
  });
});

test('Enter on the only row there is, "Create …", opens it; the text stays in the field', async () => {
  render(<Form start={owners[1] ?? null} />);
  focusBox();
  await userEvent.keyboard('nobody of that name');
  await expect.poll(options).toEqual([expect.stringContaining('Create owner')]);
  await userEvent.keyboard('{Enter}');
  await expect.element(box()).toHaveValue('nobody of that name');
  expect(run).toHaveBeenLastCalledWith('nobody of that name');
  expect(onAdvance).not.toHaveBeenCalled();
});

test('Enter on text without a match, where nothing can be created, stays in the field and says so', async () => {
  render(<Form start={owners[1] ?? null} withCreate={false} />);
  focusBox();
  await userEvent.keyboard('nobody of that name');
  await expect.poll(() => document.querySelector('[role="listbox"]')?.parentElement?.textContent).toContain('No match');
  await userEvent.keyboard('{Enter}');
  await expect.element(box()).toHaveValue('nobody of that name');
  await expect.element(box()).toHaveAccessibleDescription('No owner name matches "nobody of that name"');
  expect(onAdvance).not.toHaveBeenCalled();
});

test('no match: "Create …" with the typed text, by Enter on it or Alt+C', async () => {
  render(<Form />);
  focusBox();
  await userEvent.keyboard('Bijay Rout');
  await expect.poll(options).toEqual([expect.stringContaining('Create owner "Bijay Rout"')]);
  await userEvent.keyboard('{ArrowDown}{Enter}');
  await expect.poll(() => run).toHaveBeenLastCalledWith('Bijay Rout');
  expect(onAdvance).not.toHaveBeenCalled();
  // Closed again without saving, the form gives the text back.
  await expect.element(box()).toHaveValue('Bijay Rout');
  await userEvent.keyboard('{Control>}a{/Control}Someone{Alt>}c{/Alt}');
  await expect.poll(() => run).toHaveBeenLastCalledWith('Someone');
});

test('"Create …" and the count are in sight, however little room the list has', async () => {
  await page.viewport(1366, 260);
  try {
    render(<Form />);
    focusBox();
    await userEvent.keyboard('{F4}');
    await expect.poll(() => options().length).toBeGreaterThan(9);
    const list = document.querySelector('[popover]')?.getBoundingClientRect();
    const create = page.getByRole('option', { name: /^Create owner/ });
    const at = () => create.element().getBoundingClientRect();
    expect(at().bottom).toBeLessThanOrEqual((list?.bottom ?? 0) + 1);
    const count = page
      .getByText(/type to narrow/)
      .element()
      .getBoundingClientRect();
    expect(count.bottom).toBeLessThanOrEqual((list?.bottom ?? 0) + 1);
    expect(count.top).toBeGreaterThanOrEqual(at().bottom - 1);
  } finally {
    await page.viewport(1366, 768);
  }
});

test('free text is kept, and picking replaces it', async () => {
  render(<Form free />);
  focusBox();
  await userEvent.keyboard('New Owner{Tab}');
  await expect.poll(() => text).toBe('New Owner');
  await expect.element(box()).toHaveValue('New Owner');
  expect(picked).toBeNull();
});

test('inside a dialog Escape closes the list first, then the dialog', async () => {
  const onClose = vi.fn<() => void>();
  render(
    <Dialog onClose={onClose} title="Truck">
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
