import { startTransition, Suspense, use } from 'react';
import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useDebouncedText } from '../../../../src/web/kit/filters/use-debounced-text.ts';

/** A search field whose terms come back from the address when the test says so. */
function makeField(applied = '') {
  const terms: string[] = [];
  const apply = (term: string): void => void terms.push(term);
  const { result, rerender } = renderHook(
    (props: { applied: string }) => useDebouncedText({ ...props, apply, least: 3, debounceMs: 300 }),
    { initialProps: { applied } },
  );
  return {
    terms,
    text: () => result.current.text,
    type: (text: string) => act(() => result.current.setText(text)),
    flush: () => act(() => result.current.flush()),
    pause: (ms: number) => act(() => vi.advanceTimersByTime(ms)),
    address: (now: string) => rerender({ applied: now }),
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

test('a term is applied once typing has paused, trimmed, and not below its least length', () => {
  const field = makeField();
  field.type('KJ');
  field.pause(1_000);
  field.type('KJR ');
  field.pause(299);
  expect(field.terms).toEqual([]);
  field.pause(1);
  expect(field.terms).toEqual(['KJR']);
  field.address('KJR');
  expect(field.text()).toBe('KJR ');
  field.type('KJ');
  field.pause(300);
  expect(field.terms).toEqual(['KJR', '']);
});

test('an address that follows late takes nothing away from what was typed meanwhile', () => {
  const field = makeField();
  field.type('KJR');
  field.pause(300);
  field.type('KJR00');
  field.pause(300);
  field.type('KJR0012');
  field.address('KJR');
  expect(field.text()).toBe('KJR0012');
  field.address('KJR00');
  expect(field.text()).toBe('KJR0012');
  field.pause(300);
  expect(field.terms).toEqual(['KJR', 'KJR00', 'KJR0012']);
  // The address may also leave one out.
  field.type('KJR001');
  field.flush();
  field.address('KJR001');
  expect(field.text()).toBe('KJR001');
});

test('an address that changes by itself is followed, also while a term is under way', () => {
  const field = makeField('KJR');
  field.address('');
  expect(field.text()).toBe('');
  field.type('TP12');
  field.flush();
  field.address('BBS');
  expect(field.text()).toBe('BBS');
  field.address('TP12');
  expect(field.text()).toBe('TP12');
  field.pause(1_000);
  expect(field.terms).toEqual(['TP12']);
});

interface PageProps {
  address: string;
  /** Until then the page is drawn and not shown. */
  ready: Promise<void>;
  apply: (term: string) => void;
}

function SlowRows({ ready }: { ready: Promise<void> }) {
  use(ready);
  return null;
}

function SearchPage({ address, ready, apply }: PageProps) {
  const { text, setText } = useDebouncedText({ applied: address, apply, least: 3, debounceMs: 300 });
  return (
    <Suspense>
      <input aria-label="Search" value={text} onChange={(event) => setText(event.target.value)} />
      <SlowRows ready={ready} />
    </Suspense>
  );
}

test('a key pressed while the page of an address is drawn and not yet shown is kept', async () => {
  const terms: string[] = [];
  const apply = (term: string): void => void terms.push(term);
  const { rerender } = await act(async () =>
    render(<SearchPage address="TP00007" ready={Promise.resolve()} apply={apply} />),
  );
  const field = screen.getByLabelText<HTMLInputElement>('Search');
  const type = (value: string) => act(async () => void fireEvent.change(field, { target: { value } }));
  const pause = () => act(async () => void vi.advanceTimersByTime(300));
  await type('TP');
  await pause();
  expect(terms).toEqual(['']);
  // As the router follows: in a transition.
  const { promise, resolve } = Promise.withResolvers<void>();
  await act(async () => startTransition(() => rerender(<SearchPage address="" ready={promise} apply={apply} />)));
  await type('0001');
  expect(field.value).toBe('0001');
  await act(async () => resolve());
  expect(field.value).toBe('0001');
  await pause();
  expect(terms).toEqual(['', '0001']);
});

test('a term typed away and back, which the address never shows, is followed when it comes by itself', () => {
  const field = makeField('KJR');
  field.type('KJR00');
  field.flush();
  field.type('KJR');
  field.flush();
  expect(field.terms).toEqual(['KJR00', 'KJR']);
  field.address('KJR');
  field.address('KJR00');
  expect(field.text()).toBe('KJR00');
  field.pause(1_000);
  expect(field.terms).toEqual(['KJR00', 'KJR']);
});
