import { useContext, useEffect, useLayoutEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { UNSAFE_DataRouterContext, useLocation, useNavigation } from 'react-router-dom';
import { areRowsAwaited, setPressQueue, type Press, type PressQueue } from '../ui/awaited-rows.ts';
import { anyDialog } from '../ui/dialog-stack.ts';

/**
 * Keys that are pressed while the next screen or dialog is loading belong to that screen or dialog. They are held, and
 * replayed in order once it is shown and has placed its focus (docs/keyboard.md §1). So are keys and buttons that need the
 * rows of a table while these are loading, and the keys pressed after them.
 */
const longestWaitMs = 5_000;
const noArrivalMs = 300;

/** The part of a data router that says whether a navigation is pending. */
interface RouterState {
  state: { navigation: { location?: { pathname: string } | undefined }; location: { pathname: string } };
}

/** Sign-ins that are pending. Meanwhile typed text goes to the form, and a command waits for the first screen. */
let pendingSignIns = 0;
let held: Press[] = [];
let loadingDialogs = 0;
let onDialogLoaded: (() => void) | undefined;

/** Holds keys while a dialog's script is loading. Call the returned function when it has loaded or failed. */
export function holdKeysForDialog(): () => void {
  loadingDialogs += 1;
  return () => {
    loadingDialogs -= 1;
    onDialogLoaded?.();
  };
}

export async function holdCommandsDuring<T>(signIn: Promise<T>): Promise<T> {
  pendingSignIns += 1;
  try {
    return await signIn;
  } catch (error) {
    held = [];
    throw error;
  } finally {
    // After this task the navigation to the first screen has begun, and holds the keys from then on.
    setTimeout(() => {
      pendingSignIns -= 1;
    });
  }
}

/** Use it once for each mounted router, in a component that all its screens share. */
export function useHeldKeys(): void {
  // This reads the router's own state. `useNavigation` changes only with the next render, and a key pressed before that
  // would reach the old screen.
  const router: RouterState | undefined = useContext(UNSAFE_DataRouterContext)?.router;
  const { pathname } = useLocation();
  const { state } = useNavigation();
  const shownPath = useRef(pathname);
  const replayAll = useRef<() => void>(undefined);

  useLayoutEffect(() => {
    shownPath.current = pathname;
  }, [pathname]);
  useEffect(() => {
    if (!router) return undefined;
    const holding = holdKeys(() => {
      // A filter or page number in the query also causes a navigation, but it stays on the same screen: compare paths only.
      const { navigation, location } = router.state;
      return loadingDialogs > 0 || (navigation.location ?? location).pathname !== shownPath.current;
    });
    replayAll.current = holding.resume;
    onDialogLoaded = holding.replayInDialog;
    const removeQueue = setPressQueue(holding);
    return () => {
      onDialogLoaded = undefined;
      removeQueue();
      holding.stop();
    };
  }, [router]);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- runs each time a screen has loaded
  useEffect(() => replayAll.current?.(), [pathname, state]);
}

interface Holding extends PressQueue {
  replayInDialog: () => void;
  stop: () => void;
}

function holdKeys(isLoading: () => boolean): Holding {
  const replayed = new WeakSet<Event>();
  let isReplaying = false;
  let limit: ReturnType<typeof setTimeout> | undefined;
  let late: ReturnType<typeof setTimeout> | undefined;

  const forget = (): void => {
    clearTimeout(limit);
    clearTimeout(late);
    limit = undefined;
    late = undefined;
    held = [];
  };
  const drop = (): void => {
    const dropped = held;
    forget();
    if (dropped.length > 0) void notifyDropped(dropped);
  };
  const hold = (press: Press): void => {
    held.push(press);
    limit ??= setTimeout(drop, longestWaitMs);
  };
  const isStillLoading = (): boolean => isLoading() || areRowsAwaited();

  const onKeyDown = (event: KeyboardEvent): void => {
    // Held keys go first. A key pressed after the screen is drawn but before the replay waits behind them.
    const isBehind = held.length > 0 && pendingSignIns === 0;
    const isWaiting = isReplaying || isBehind || isLoading();
    if (replayed.has(event) || event.isComposing || (!isWaiting && pendingSignIns === 0)) return;
    if (isOfBrowser(event) || (!isWaiting && !isCommand(event))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === 'Escape') forget();
    else if (!event.repeat) hold(event);
    // Normally the effect after a screen's load replays the keys, with its focus placed. This covers the case without a load.
    if (isBehind && !isStillLoading()) late ??= setTimeout(() => void replayAll(), noArrivalMs);
  };

  const replayAll = async (): Promise<void> => {
    if (isReplaying) return;
    isReplaying = true;
    while (held.length > 0 && !isStillLoading()) {
      // Let the screen render what the previous key changed, and place its focus.
      await new Promise((resolve) => setTimeout(resolve));
      const press = isStillLoading() ? undefined : held.shift();
      // Rendered at once, because the next key may need what this one changes.
      if (typeof press === 'function') flushSync(press);
      else if (press && !replay(press, replayed)) {
        held.unshift(press);
        drop();
      }
    }
    isReplaying = false;
    if (held.length === 0) forget();
  };

  window.addEventListener('keydown', onKeyDown, true);
  return {
    hold,
    resume: () => void replayAll(),
    drop,
    replayInDialog: () => {
      if (held.length === 0) return;
      // Wait until the dialog has taken the focus. If it failed to load, its keys must not reach the screen below.
      setTimeout(() => {
        if (document.activeElement?.closest(anyDialog)) void replayAll();
        else if (!isLoading()) drop();
      });
    },
    stop: () => {
      window.removeEventListener('keydown', onKeyDown, true);
      forget();
    },
  };
}

/**
 * Does what pressing the key now would do. Returns false if only the browser can do it, which it does for real presses
 * alone.
 */
function replay(press: KeyboardEvent, replayed: WeakSet<Event>): boolean {
  const target = document.activeElement ?? document.body;
  const { key, code, ctrlKey, altKey, shiftKey, metaKey } = press;
  const pressed = { key, code, ctrlKey, altKey, shiftKey, metaKey };
  const again = new KeyboardEvent('keydown', { ...pressed, bubbles: true, cancelable: true, composed: true });
  replayed.add(again);
  target.dispatchEvent(again);
  if (again.defaultPrevented) return true;
  const isText =
    target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text');
  if (key.length === 1 && !isCommand(press)) {
    // This command inserts as typing does: it replaces the selection, fires input events and keeps the field's own undo.
    return !isText || document.execCommand('insertText', false, key);
  }
  if (key === 'Enter') return isText;
  // In a text field only the browser can select all, copy or undo.
  if (isText && (ctrlKey || metaKey)) return false;
  return !['Tab', 'Backspace', 'Delete', 'Home', 'End', 'PageUp', 'PageDown'].includes(key) && !key.startsWith('Arrow');
}

/** A key with Ctrl or Alt, or an F-key: it never types text. */
const isCommand = ({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  ((ctrlKey || metaKey) && !altKey) || (altKey && !ctrlKey) || /^F\d+$/.test(key);

/** Keys that belong to the browser (docs/keyboard.md §1), and modifier keys pressed by themselves. */
function isOfBrowser({ key, code, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  if (['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'Process', 'Dead'].includes(key)) return true;
  if (ctrlKey || metaKey) return /^(Key[DFGHJLNOPRTUW]|Digit\d|Tab|F\d+|Equal|Minus)$/.test(code);
  if (altKey) return /^(Key[DEF]|Arrow(Left|Right)|Home|Tab|F4)$/.test(code);
  return /^F(1|5|6|11|12)$/.test(key);
}

/** Imported lazily: the layout of the signed-in screens loads the toasts, the sign-in page does without them. */
async function notifyDropped({ length }: readonly Press[]): Promise<void> {
  const { notify } = await import('../feedback/toast.ts');
  const keys = length === 1 ? 'A key' : `${length} keys`;
  notify.info(`${keys} pressed while the screen was loading ${length === 1 ? 'was' : 'were'} not used`);
}
