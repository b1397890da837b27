import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useDebouncedText } from '../../../src/web/filters/use-debounced-text.ts';

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
