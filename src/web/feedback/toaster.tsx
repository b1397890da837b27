import { useEffect, type CSSProperties, type FocusEvent } from 'react';
import { Toaster as Sonner } from 'sonner';
import { onDialogOpened } from '../ui/dialog-stack.ts';
import { mostToasts, notify, otherToastMs } from './toast.ts';
import { useTheme } from '../shell/theme.ts';

/** Our colours in place of the library's, whose green on green is below 4.5:1. */
const tones = { success: 'good', error: 'danger', warning: 'warn', info: 'primary' };
/** What the header's buttons take; in a narrow window they lose their words. */
const right = 'clamp(216px, 100vw - 500px, 320px)';
const look = Object.fromEntries([
  // The usual sentences stay on one line, with Undo beside them; in a narrow window the sidebar's button stays free.
  ['--width', `min(560px, 100vw - ${right} - 150px)`],
  ['--normal-bg', 'var(--raised)'],
  ['--normal-text', 'var(--ink)'],
  ['--normal-border', 'var(--line)'],
  ...Object.entries(tones).flatMap(([type, tone]) => [
    [`--${type}-bg`, `var(--${tone}-soft)`],
    [`--${type}-text`, `var(--${tone})`],
    [`--${type}-border`, `color-mix(in srgb, var(--${tone}) 40%, transparent)`],
  ]),
]) as CSSProperties; // Custom properties: React passes them on, its type does not name them.

/** Top right, in the header; several are stacked and spread out under pointer or focus. Toasts wait while hovered or the tab is hidden (the library's own), and while focused. */
export function Toaster() {
  const theme = useTheme();
  useEffect(() => onDialogOpened(notify.dismissPassing), []);
  return (
    <div onFocusCapture={(event) => hold(event, true)} onBlurCapture={(event) => hold(event, false)}>
      <Sonner
        position="top-right"
        theme={theme}
        duration={otherToastMs}
        visibleToasts={mostToasts}
        closeButton
        richColors
        // In the free part of the header, left of its buttons: a message must not cover what the user presses next,
        // be it a button of the screen, a filter or a row.
        offset={{ top: 2, right }}
        gap={8}
        containerAriaLabel="Notifications"
        style={look}
        toastOptions={{ style: { fontSize: '13px', padding: '6px 14px', minHeight: 40, pointerEvents: 'auto' } }}
      />
    </div>
  );
}

/**
 * The library pauses while the pointer is over its list and ignores the focus: a button reached by keyboard would
 * disappear. So the focus sends the events that the library listens for.
 */
function hold(event: FocusEvent, isInside: boolean): void {
  const list = event.target.closest('[data-sonner-toaster]');
  if (!list) return;
  if (isInside) list.dispatchEvent(new MouseEvent('mousemove', { bubbles: true }));
  else if (!list.contains(event.relatedTarget)) {
    list.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body }));
  }
}
