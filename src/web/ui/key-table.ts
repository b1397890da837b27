import { useContext, useLayoutEffect, useSyncExternalStore } from 'react';
import { DialogContext } from './dialog-stack.ts';

/** What a key event says about its key; of the browser or of React. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'altKey' | 'shiftKey' | 'metaKey'>;

/** A key of a part of the screen (a field, a table, a dialog), as its handler matches it and as the help shows it. */
interface KeyEntry {
  /** 'Home', 'Ctrl+C', 'Alt+PgUp'. */
  keys: string | readonly string[];
  label: string;
  /** More presses that mean it and that no short name fits, such as any letter. */
  also?: (event: KeyPress) => boolean;
  /** Listed for the help alone: the browser or a library handles it, and nothing of ours dispatches on it. */
  by?: 'browser' | 'library';
}

export type KeyTable = Readonly<Record<string, KeyEntry>>;

/**
 * One function for each entry that is ours: an entry without its function does not compile. false: the key means nothing
 * in this state, and the next entry that matches is tried.
 */
type KeyHandlers<T extends KeyTable> = {
  [Name in keyof T as T[Name] extends { by: string } ? never : Name]: () => boolean | void;
};

/** Calls the function of the first entry that matches. true: the key was used. */
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

const isPressed = (entry: KeyEntry, event: KeyPress): boolean =>
  keyList(entry).some((keys) => matches(keys, event)) || (entry.also?.(event) ?? false);

interface Combination {
  ctrl: boolean;
  alt: boolean;
  shift: boolean;
  key: string;
}

export function parseKeys(text: string): Combination {
  const isPlus = text === '+' || text.endsWith('++');
  const parts = isPlus ? [...text.slice(0, -1).split('+').filter(Boolean), '+'] : text.split('+');
  const key = parts.at(-1) ?? '';
  const has = (name: string): boolean => parts.slice(0, -1).includes(name);
  return { ctrl: has('Ctrl'), alt: has('Alt'), shift: has('Shift'), key };
}

const named: Readonly<Record<string, string>> = {
  PgUp: 'PageUp',
  PgDn: 'PageDown',
  Space: ' ',
  Esc: 'Escape',
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '←': 'ArrowLeft',
  '→': 'ArrowRight',
};

/** The physical key of a letter, a digit or a named key. */
function codeOf(key: string): string | undefined {
  if (/^[a-z]$/i.test(key)) return `Key${key.toUpperCase()}`;
  if (/^\d$/.test(key)) return `Digit${key}`;
  return named[key];
}

export function matches(text: string, event: KeyPress): boolean {
  const wanted = parseKeys(text);
  const ctrl = event.ctrlKey || event.metaKey;
  // Ctrl+Alt is AltGr on Windows: never a command (docs/keyboard.md §1).
  if (event.ctrlKey && event.altKey) return false;
  if (wanted.ctrl !== ctrl || wanted.alt !== event.altKey) return false;
  const key = named[wanted.key] ?? wanted.key;
  if (wanted.alt) {
    // The physical key: Alt+N types another sign on some layouts, and Alt+numpad enters characters.
    const code = codeOf(wanted.key);
    return wanted.shift === event.shiftKey && (code ? event.code === code : event.key === key);
  }
  const isSign = key.length === 1 && !/[a-z0-9 ]/i.test(key);
  // '?' needs Shift on one layout and none on another: the sign itself is what counts.
  if (!isSign && wanted.shift !== event.shiftKey) return false;
  if (event.key.toLowerCase() === key.toLowerCase()) return true;
  // A layout of another script has no C: there Ctrl+C is the key where C is.
  return ctrl && /^[a-z]$/i.test(key) && /^\P{ASCII}$/u.test(event.key) && event.code === codeOf(key);
}

/** A table of keys that counts now, under its heading in the help. */
interface ShownKeys {
  scope: string;
  table: KeyTable;
  /** The dialog it belongs to; undefined: the screen. */
  dialog: symbol | undefined;
}

const shown = new Set<ShownKeys>();
const listeners = new Set<() => void>();
let snapshot: readonly ShownKeys[] = [];

function emit(): void {
  snapshot = [...shown];
  for (const listener of listeners) listener();
}

/** Lists the table in the help while the component is mounted; `table` must stay the same object. undefined: not now. */
export function useKeyHelp(scope: string, table: KeyTable | undefined, ofDialog?: symbol): void {
  const around = useContext(DialogContext);
  const dialog = ofDialog ?? around;
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
