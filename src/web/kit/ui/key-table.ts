import { useContext, useLayoutEffect, useSyncExternalStore } from 'react';
import { DialogContext } from './dialog-stack.ts';

/** The parts of a key event that identify the key, from the browser or from React. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>;

/** A key of a part of the screen (a field, a table, a dialog). The handler matches it and the help shows it. */
interface KeyEntry {
  /** 'Home', 'Ctrl+C', 'Alt+PgUp'. */
  keys: string | readonly string[];
  label: string;
  /** Matches further keys that have no short name, such as any letter. */
  also?: (event: KeyPress) => boolean;
  /** The browser or a library handles the key. It is listed for the help only. */
  by?: 'browser' | 'library';
}

export type KeyTable = Readonly<Record<string, KeyEntry>>;

/**
 * One handler for each entry without `by`; a missing handler does not compile. A handler returns false if the key means
 * nothing in the current state; then the next entry that matches is tried.
 */
type KeyHandlers<T extends KeyTable> = {
  [Name in keyof T as T[Name] extends { by: string } ? never : Name]: () => boolean | void;
};

/** Calls the handler of the first entry that matches. Returns true if the key was used. */
export function dispatchKey<T extends KeyTable>(table: T, event: KeyPress, handlers: KeyHandlers<T>): boolean {
  const functions: Readonly<Record<string, () => boolean | void>> = handlers;
  for (const [name, entry] of Object.entries(table)) {
    const run = functions[name];
    if (run && isPressed(entry, event) && run() !== false) return true;
  }
  return false;
}

export const keyList = ({ keys }: { keys?: string | readonly string[] | undefined }): readonly string[] =>
  keys === undefined ? [] : typeof keys === 'string' ? [keys] : keys;

export const isPressed = (entry: KeyEntry, event: KeyPress): boolean =>
  keyList(entry).some((keys) => matches(keys, event)) || (entry.also?.(event) ?? false);

interface Combination {
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  key: string;
}

/** Splits at '+'. In 'Ctrl++' the last '+' is the key itself. */
export const keysIn = (combination: string): string[] =>
  combination === '+' || combination.endsWith('++')
    ? [...combination.slice(0, -1).split('+').filter(Boolean), '+']
    : combination.split('+');

export function parseKeys(text: string): Combination {
  const parts = keysIn(text);
  const key = parts.at(-1) ?? '';
  const has = (name: string): boolean => parts.slice(0, -1).includes(name);
  return { ctrl: has('Ctrl'), alt: has('Alt'), shift: has('Shift'), key };
}

const eventKeys: Readonly<Record<string, string>> = {
  PgUp: 'PageUp',
  PgDn: 'PageDown',
  Space: ' ',
  Esc: 'Escape',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
};

/** The code of the physical key for a letter, a digit or a named key. */
function codeOf(key: string): string | undefined {
  if (/^[a-z]$/i.test(key)) return `Key${key.toUpperCase()}`;
  if (/^\d$/.test(key)) return `Digit${key}`;
  return eventKeys[key];
}

export function matches(text: string, event: KeyPress): boolean {
  const wanted = parseKeys(text);
  const ctrl = event.ctrlKey || event.metaKey;
  // Ctrl+Alt is AltGr on Windows, so it is never a command (docs/keyboard.md §1).
  if (event.ctrlKey && event.altKey) return false;
  if (wanted.ctrl !== ctrl || wanted.alt !== event.altKey) return false;
  const key = eventKeys[wanted.key] ?? wanted.key;
  if (wanted.alt) {
    // With Alt the physical key counts: on some layouts Alt+N types another character, and Alt with the numeric pad enters
    // character codes.
    const code = codeOf(wanted.key);
    return wanted.shift === event.shiftKey && (code ? event.code === code : event.key === key);
  }
  const isSign = key.length === 1 && !/[a-z0-9 ]/i.test(key);
  // '?' needs Shift on some layouts and not on others, so for a sign Shift is not compared.
  if (!isSign && wanted.shift !== event.shiftKey) return false;
  return keyOf(event).toLowerCase() === key.toLowerCase();
}

/** The signs of an English keyboard that commands use, without and with Shift. */
const signs: Readonly<Record<string, string>> = {
  Slash: '/?',
  Digit8: '8*',
  Equal: '=+',
  Minus: '-',
  Semicolon: ';',
  Quote: "'",
  Period: '.',
};

/**
 * The key, or on a layout of another script what an English keyboard has at its place: a Hindi layout has no C and no slash. A
 * letter of a Latin layout may be at the place of a sign, where it is none.
 */
export function keyOf({ key, code, shiftKey }: KeyPress): string {
  if (!/^\P{ASCII}+$/u.test(key)) return key;
  const letter = /^Key(.)$/.exec(code)?.[1];
  if (letter) return letter.toLowerCase();
  return /^[\p{L}\p{M}]+$/u.test(key) && !/\p{Script=Latin}/u.test(key)
    ? (signs[code]?.[shiftKey ? 1 : 0] ?? key)
    : key;
}

/** A key table that is active now, with its heading in the help. */
interface ShownKeys {
  scope: string;
  table: KeyTable;
  /** The dialog that the keys belong to; undefined for the screen. */
  dialog: symbol | undefined;
}

const shown = new Set<ShownKeys>();
const listeners = new Set<() => void>();
let snapshot: readonly ShownKeys[] = [];

function emit(): void {
  snapshot = [...shown];
  for (const listener of listeners) listener();
}

/**
 * Lists the table in the help while the component is mounted. `table` must stay the same object; undefined lists nothing.
 * `ownDialog` is for a dialog that renders the provider of `DialogContext` itself.
 */
export function useKeyHelp(scope: string, table: KeyTable | undefined, ownDialog?: symbol): void {
  const parentDialog = useContext(DialogContext);
  const dialog = ownDialog ?? parentDialog;
  useLayoutEffect(() => {
    if (!table) return undefined;
    const own = { scope, table, dialog };
    shown.add(own);
    emit();
    return () => {
      shown.delete(own);
      emit();
    };
  }, [scope, table, dialog]);
}

export const useShownKeys = (): readonly ShownKeys[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => snapshot,
  );
