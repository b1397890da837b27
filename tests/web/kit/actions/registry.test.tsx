import { afterEach, expect, test, vi } from 'vitest';
import { cleanup, render } from '@testing-library/react';
import { userEvent } from 'vitest/browser';
import { useEffect } from 'react';
import { listenForKeys } from '../../../../src/web/kit/actions/registry-keys.ts';
import { buttonOf, currentActions, useActions, type Action } from '../../../../src/web/kit/actions/registry.ts';
import { Button } from '../../../../src/web/kit/ui/button.tsx';
import { Dialog } from '../../../../src/web/kit/ui/dialog.tsx';
import { matches } from '../../../../src/web/kit/ui/key-table.ts';

const explain = vi.fn<(reason: string) => void>();

function Screen({ actions, children }: { actions: Action[]; children?: React.ReactNode }) {
  useActions(actions);
  useEffect(() => listenForKeys(explain), []);
  return (
    <>
      <input aria-label="Text" />
      <button type="button">Elsewhere</button>
      {children}
    </>
  );
}

function Inside({ actions }: { actions: Action[] }) {
  useActions(actions);
  return <button type="button">In the dialog</button>;
}

const make = (keys: Action['keys'], more: Partial<Action> = {}) => {
  const run = vi.fn<() => void>();
  return {
    run,
    action: { id: String(keys), label: `Do ${String(keys)}`, scope: 'Test', keys, run, ...more } satisfies Action,
  };
};
const press = (init: KeyboardEventInit): boolean =>
  (document.activeElement ?? document.body).dispatchEvent(
    new KeyboardEvent('keydown', { bubbles: true, cancelable: true, ...init }),
  );
const focusButton = (): void => document.querySelector<HTMLElement>('button')?.focus();
const focusInput = (): void => document.querySelector('input')?.focus();

afterEach(() => {
  cleanup();
  explain.mockClear();
});

test.each<[string, KeyboardEventInit, boolean]>([
  ['Ctrl+K', { key: 'k', code: 'KeyK', ctrlKey: true }, true],
  ['Ctrl+K', { key: 'k', code: 'KeyK', ctrlKey: true, altKey: true }, false],
  ['Ctrl+K', { key: 'K', code: 'KeyK', ctrlKey: true, shiftKey: true }, false],
  ['Ctrl+Shift+L', { key: 'L', code: 'KeyL', ctrlKey: true, shiftKey: true }, true],
  ['Alt+1', { key: '1', code: 'Digit1', altKey: true }, true],
  ['Alt+1', { key: '1', code: 'Numpad1', altKey: true }, false],
  ['Alt+N', { key: '˜', code: 'KeyN', altKey: true }, true],
  ['Alt+PgDn', { key: 'PageDown', code: 'PageDown', altKey: true }, true],
  ['?', { key: '?', code: 'Slash', shiftKey: true }, true],
  ['*', { key: '*', code: 'NumpadMultiply' }, true],
  ['/', { key: '/', code: 'Slash' }, true],
  ['P', { key: 'p', code: 'KeyP' }, true],
  ['P', { key: 'P', code: 'KeyP', shiftKey: true }, false],
  // On a layout of another script the place of the key counts: Hindi (InScript) has म at C, य at /, श्र at 8.
  ['C', { key: 'म', code: 'KeyC' }, true],
  ['C', { key: 'ण', code: 'KeyC', shiftKey: true }, false],
  ['/', { key: 'य', code: 'Slash' }, true],
  ['?', { key: 'य़', code: 'Slash', shiftKey: true }, true],
  ['*', { key: 'श्र', code: 'Digit8', shiftKey: true }, true],
  ['/', { key: 'य़', code: 'Slash', shiftKey: true }, false],
  ['Ctrl+C', { key: 'म', code: 'KeyC', ctrlKey: true }, true],
  ['Ctrl+;', { key: 'च', code: 'Semicolon', ctrlKey: true }, true],
  // Latin layouts have letters and signs of their own at the places of signs.
  ['/', { key: 'é', code: 'Slash' }, false],
  ['/', { key: '§', code: 'Slash' }, false],
  ['F2', { key: 'F2', code: 'F2' }, true],
  ['Ctrl+;', { key: ';', code: 'Semicolon', ctrlKey: true }, true],
])('%s and %j: %s', (keys, event, expected) => {
  expect(matches(keys, new KeyboardEvent('keydown', event))).toBe(expected);
});

test('a letter works outside fields only, a combination and an F-key everywhere', async () => {
  const letter = make('P');
  const combination = make('Ctrl+S');
  const named = make('F8');
  const editing = make('Delete');
  render(<Screen actions={[letter.action, combination.action, named.action, editing.action]} />);
  focusInput();
  await userEvent.keyboard('p{Control>}s{/Control}{F8}{Delete}');
  await expect
    .poll(() => [letter, combination, named, editing].map(({ run }) => run.mock.calls.length))
    .toEqual([0, 1, 1, 0]);
  expect(document.querySelector('input')?.value).toBe('p');
  focusButton();
  await userEvent.keyboard('p{Delete}');
  await expect.poll(() => [letter, editing].map(({ run }) => run.mock.calls.length)).toEqual([1, 1]);
});

test('an action that cannot be done says why instead', async () => {
  const { run, action } = make('E', { disabledReason: 'Nothing is selected' });
  render(<Screen actions={[action]} />);
  focusButton();
  await userEvent.keyboard('e');
  expect(run).not.toHaveBeenCalled();
  expect(explain.mock.calls).toEqual([['Nothing is selected']]);
});

test('two keys one after the other, and not when something else came between', async () => {
  const { run, action } = make(['Alt+6', 'g c']);
  const c = make('c');
  render(<Screen actions={[action, c.action]} />);
  focusButton();
  await userEvent.keyboard('gc');
  await expect.poll(() => [run.mock.calls.length, c.run.mock.calls.length]).toEqual([1, 0]);
  await userEvent.keyboard('gxc');
  await expect.poll(() => [run.mock.calls.length, c.run.mock.calls.length]).toEqual([1, 1]);
});

test('letters and signs can be switched off; combinations and F-keys stay', async () => {
  const made = ['P', 'g c', '?', 'Ctrl+S', 'F9', 'Delete'].map((keys) => make(keys));
  function Quiet() {
    useActions(made.map(({ action }) => action));
    useEffect(() => listenForKeys(explain, () => false), []);
    return null;
  }
  render(<Quiet />);
  await userEvent.keyboard('pgc?{Control>}s{/Control}{F9}{Delete}');
  await expect.poll(() => made.map(({ run }) => run.mock.calls.length)).toEqual([0, 0, 0, 1, 1, 1]);
});

test('nothing fires while an input method composes, nor a key that was used already', () => {
  const { run, action } = make('P');
  render(<Screen actions={[action]} />);
  const press = (init: KeyboardEventInit, prevented = false): void => {
    const event = new KeyboardEvent('keydown', { key: 'p', code: 'KeyP', bubbles: true, cancelable: true, ...init });
    if (prevented) event.preventDefault();
    document.body.dispatchEvent(event);
  };
  press({ isComposing: true });
  press({}, true);
  expect(run).not.toHaveBeenCalled();
  press({});
  expect(run).toHaveBeenCalledTimes(1);
});

test('a held key acts once', () => {
  const { run, action } = make('P');
  render(<Screen actions={[action]} />);
  for (const repeat of [false, true, true]) {
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'p', code: 'KeyP', bubbles: true, repeat }));
  }
  expect(run).toHaveBeenCalledTimes(1);
});

test('while a dialog is open only its own actions have keys; of two the upper one', async () => {
  const screen = make('Ctrl+Enter', { id: 'screen' });
  const lower = make('Ctrl+Enter', { id: 'lower' });
  const upper = make('Ctrl+Enter', { id: 'upper' });
  const dialog = (depth: number) => (
    <Screen actions={[screen.action]}>
      {depth > 0 && (
        <Dialog onClose={() => undefined} title="Lower">
          <Inside actions={[lower.action]} />
        </Dialog>
      )}
      {depth > 1 && (
        <Dialog onClose={() => undefined} title="Upper">
          <Inside actions={[upper.action]} />
        </Dialog>
      )}
    </Screen>
  );
  const { rerender } = render(dialog(0));
  const counts = () => [screen, lower, upper].map(({ run }) => run.mock.calls.length);
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(() => counts()).toEqual([1, 0, 0]);
  rerender(dialog(1));
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(() => counts()).toEqual([1, 1, 0]);
  rerender(dialog(2));
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(() => counts()).toEqual([1, 1, 1]);
  rerender(dialog(0));
  await userEvent.keyboard('{Control>}{Enter}{/Control}');
  await expect.poll(() => counts()).toEqual([2, 1, 1]);
});

test('the screen’s own action comes before one of the shell with the same key', async () => {
  const shell = make('Alt+N', { id: 'shell' });
  const own = make('Alt+N', { id: 'own' });
  function Shell() {
    useActions([shell.action]);
    useEffect(() => listenForKeys(explain), []);
    return null;
  }
  function Own() {
    useActions([own.action]);
    return null;
  }
  const { rerender } = render(<Shell />);
  rerender(
    <>
      <Shell />
      <Own />
    </>,
  );
  await userEvent.keyboard('{Alt>}n{/Alt}');
  await expect.poll(() => [shell.run.mock.calls.length, own.run.mock.calls.length]).toEqual([0, 1]);
});

test('handler, button and palette run the same newest function', async () => {
  const first = vi.fn<() => void>();
  const second = vi.fn<() => void>();
  const action = (run: () => void): Action => ({ id: 'a', label: 'Act', scope: 'Test', keys: 'F9', run });
  const screen = (run: () => void) => (
    <Screen actions={[action(run)]}>
      <Button {...buttonOf(action(run))}>Act</Button>
    </Screen>
  );
  const { rerender, unmount } = render(screen(first));
  rerender(screen(second));
  await userEvent.keyboard('{F9}');
  // As the palette does.
  currentActions(undefined)[0]?.run();
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([0, 2]);
  unmount();
  expect(currentActions(undefined)).toEqual([]);
});

test('a button that is pressed while it is disabled says why', async () => {
  const shown = make('P', { disabledReason: 'Nothing is selected' });
  render(
    <Screen actions={[]}>
      <Button {...buttonOf(shown.action)}>Pay</Button>
    </Screen>,
  );
  const pay = [...document.querySelectorAll('button')].find((item) => item.textContent === 'Pay');
  pay?.focus();
  await userEvent.keyboard('{Enter}');
  expect(explain.mock.calls).toEqual([['Nothing is selected']]);
  expect(shown.run).not.toHaveBeenCalled();
});

test('Ctrl+Z outside a text field leaves the texts of the fields alone; inside it is the browser’s own', async () => {
  render(<Screen actions={[]} />);
  const text = document.querySelector('input');
  const elsewhere = document.querySelector('button');
  text?.focus();
  await userEvent.keyboard('bikash');
  elsewhere?.focus();
  for (const keys of ['{Control>}z{/Control}', '{Control>}y{/Control}', '{Control>}{Shift>}z{/Shift}{/Control}']) {
    await userEvent.keyboard(keys);
    expect(text?.value).toBe('bikash');
  }
  text?.focus();
  await userEvent.keyboard('{Control>}z{/Control}');
  expect(text?.value).not.toBe('bikash');
});

test('on a Hindi layout letters and sequences are commands by their place, and text in a text field', () => {
  const pay = make('P');
  const go = make('g c');
  render(<Screen actions={[pay.action, go.action]} />);
  focusButton();
  press({ key: 'ज', code: 'KeyP' });
  press({ key: 'ु', code: 'KeyG' });
  press({ key: 'म', code: 'KeyC' });
  expect([pay.run.mock.calls.length, go.run.mock.calls.length]).toEqual([1, 1]);
  focusInput();
  expect(press({ key: 'ज', code: 'KeyP' })).toBe(true);
  expect(pay.run).toHaveBeenCalledOnce();
});
