import { useContext, useEffect, useLayoutEffect, useRef } from 'react';
import { UNSAFE_DataRouterContext, useLocation, useNavigation } from 'react-router-dom';

/**
 * Keys that are pressed while the next screen or dialog is loading belong to it. They are held, and given to it in their
 * order once it is there and has placed its focus (docs/keyboard.md §1).
 */
const longestWaitMs = 5_000;
const noArrivalMs = 300;

/** The part of a data router that says whether it is on its way somewhere. */
interface RouterState {
  state: { navigation: { location?: { pathname: string } | undefined }; location: { pathname: string } };
}

/** A sign-in that is under way: the form keeps what is typed, a command waits for the first screen. */
let signIns = 0;
let held: KeyboardEvent[] = [];
let lateDialogs = 0;
let onDialog: (() => void) | undefined;

/** A dialog's script is on its way. Returns what to call when it has come, or has failed to. */
export function holdForDialog(): () => void {
  lateDialogs += 1;
  return () => {
    lateDialogs -= 1;
    onDialog?.();
  };
}

export async function holdCommandsDuring<T>(signIn: Promise<T>): Promise<T> {
  signIns += 1;
  try {
    return await signIn;
  } catch (error) {
    held = [];
    throw error;
  } finally {
    // A moment later the way to the first screen has begun.
    setTimeout(() => {
      signIns -= 1;
    });
  }
}

/** Once for each mounted router, in a component that all its screens have in common. */
export function useHeldKeys(): void {
  // The router itself, since `useNavigation` follows it only with the next drawing: a key must not slip in between.
  const router: RouterState | undefined = useContext(UNSAFE_DataRouterContext)?.router;
  const { pathname } = useLocation();
  const { state } = useNavigation();
  const shownPath = useRef(pathname);
  const giveAll = useRef<() => void>(undefined);

  useLayoutEffect(() => {
    shownPath.current = pathname;
  }, [pathname]);
  useEffect(() => {
    if (!router) return undefined;
    const holding = holdKeys(() => {
      // A filter or a page that goes into the address is on its way too, but stays on its screen.
      const { navigation, location } = router.state;
      return lateDialogs > 0 || (navigation.location ?? location).pathname !== shownPath.current;
    });
    giveAll.current = holding.giveAll;
    onDialog = holding.giveToDialog;
    return () => {
      onDialog = undefined;
      holding.stop();
    };
  }, [router]);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- each time a screen has arrived
  useEffect(() => giveAll.current?.(), [pathname, state]);
}

interface Holding {
  giveAll: () => void;
  giveToDialog: () => void;
  stop: () => void;
}

function holdKeys(isLoading: () => boolean): Holding {
  const own = new WeakSet<Event>();
  let isGiving = false;
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
    const count = held.length;
    forget();
    if (count > 0) void sayDropped(count);
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    // Keys that are held already go first: those that come between the drawing of a screen and the giving wait too.
    const isBehind = held.length > 0 && signIns === 0;
    const isWaiting = isGiving || isBehind || isLoading();
    if (own.has(event) || event.isComposing || (!isWaiting && signIns === 0)) return;
    if (isOfBrowser(event) || (!isWaiting && !isCommand(event))) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.key === 'Escape') forget();
    else if (!event.repeat) held.push(event);
    if (held.length > 0) limit ??= setTimeout(drop, longestWaitMs);
    // The screen's arrival gives them, with its focus placed; where none has arrived after all, this does.
    if (isBehind && !isLoading()) late ??= setTimeout(() => void giveAll(), noArrivalMs);
  };

  const giveAll = async (): Promise<void> => {
    if (isGiving) return;
    isGiving = true;
    while (held.length > 0 && !isLoading()) {
      // The screen draws what the key before has changed, and places its focus.
      await new Promise((resolve) => setTimeout(resolve));
      const press = isLoading() ? undefined : held.shift();
      if (press && !give(press, own)) {
        held.unshift(press);
        drop();
      }
    }
    isGiving = false;
    if (held.length === 0) forget();
  };

  window.addEventListener('keydown', onKeyDown, true);
  return {
    giveAll: () => void giveAll(),
    giveToDialog: () => {
      if (held.length === 0) return;
      // Once it has taken the focus. One that did not come must not leave its keys to the screen below.
      setTimeout(() => {
        if (document.activeElement?.closest('[role="dialog"], [role="alertdialog"]')) void giveAll();
        else if (!isLoading()) drop();
      });
    },
    stop: () => {
      window.removeEventListener('keydown', onKeyDown, true);
      forget();
    },
  };
}

/** Does with the key what pressing it now would do. false: only the browser can, and it does so for real presses alone. */
function give(press: KeyboardEvent, own: WeakSet<Event>): boolean {
  const target = document.activeElement ?? document.body;
  const { key, code, ctrlKey, altKey, shiftKey, metaKey } = press;
  const pressed = { key, code, ctrlKey, altKey, shiftKey, metaKey };
  const again = new KeyboardEvent('keydown', { ...pressed, bubbles: true, cancelable: true, composed: true });
  own.add(again);
  target.dispatchEvent(again);
  if (again.defaultPrevented) return true;
  const isText =
    target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text');
  if (key.length === 1 && !isCommand(press)) {
    // As typing does: over the selection, with the events of typing, and with the field's own undo.
    return !isText || document.execCommand('insertText', false, key);
  }
  if (key === 'Enter') return isText;
  // Select all, copy, undo.
  if (isText && (ctrlKey || metaKey)) return false;
  return !['Tab', 'Backspace', 'Delete', 'Home', 'End', 'PageUp', 'PageDown'].includes(key) && !key.startsWith('Arrow');
}

/** With Ctrl, Alt or an F-number: text is never typed with it. */
const isCommand = ({ key, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean =>
  ((ctrlKey || metaKey) && !altKey) || (altKey && !ctrlKey) || /^F\d+$/.test(key);

/** Keys of the browser (docs/keyboard.md §1), and keys that mean nothing by themselves. */
function isOfBrowser({ key, code, ctrlKey, altKey, metaKey }: KeyboardEvent): boolean {
  if (['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'Process', 'Dead'].includes(key)) return true;
  if (ctrlKey || metaKey) return /^(Key[DFGHJLNOPRTUW]|Digit\d|Tab|F\d+|Equal|Minus)$/.test(code);
  if (altKey) return /^(Key[DEF]|Arrow(Left|Right)|Home|Tab|F4)$/.test(code);
  return /^F(1|5|6|11|12)$/.test(key);
}

/** The toasts come with the frame of the signed-in screens; the sign-in page loads without them. */
async function sayDropped(count: number): Promise<void> {
  const { notify } = await import('../feedback/toast.ts');
  const keys = count === 1 ? 'A key' : `${count} keys`;
  notify.info(`${keys} pressed while the screen was loading ${count === 1 ? 'was' : 'were'} not used`);
}
