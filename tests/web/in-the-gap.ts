import { vi } from 'vitest';

/**
 * What has the focus by the end of the drawing in which `isThere` comes true, before the browser takes the next key: what
 * is placed in a later task loses the keys that come before it.
 */
export function focusOnceDrawn(isThere: () => boolean): Promise<Element | null> {
  return new Promise((resolve) => {
    const look = new MutationObserver(async () => {
      if (!isThere()) return;
      look.disconnect();
      // The work that the drawing itself has put off to its own end.
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
      resolve(document.activeElement);
    });
    look.observe(document.body, { childList: true, subtree: true });
  });
}

/** Types into what has the focus right after the handlers of this key are through. */
export function typeRightAfter(key: string, text: string): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener('keydown', function after(event) {
      if (event.key !== key) return;
      window.removeEventListener('keydown', after);
      document.execCommand('insertText', false, text);
      resolve();
    });
  });
}

/** Keys that belong together by their time: between two of them no time passes, however slow the machine. */
export async function withoutPause(press: () => Promise<void>): Promise<void> {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
  try {
    await press();
  } finally {
    clock.mockRestore();
  }
}
