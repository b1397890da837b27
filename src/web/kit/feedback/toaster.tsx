import { useEffect, type CSSProperties, type FocusEvent } from 'react';
import { Toaster as Sonner } from 'sonner';
import { onDialogOpened } from '../ui/dialog-stack.ts';
import { mostToasts, notify, otherToastMs } from './toast.ts';
import { useTheme } from '../ui/theme.ts';

/** Our colours replace the library's, whose green text on green has a contrast below 4.5:1. */
const tones = { success: 'good', error: 'danger', warning: 'warn', info: 'primary' };
/** From the edge of the window, with room for the shadow. */
const right = 8;
const look = Object.fromEntries([
  // Wide enough for usual sentences on one line with Undo beside them. In a narrow window the sidebar button stays visible.
  ['--width', `min(560px, 100vw - ${right}px - 150px)`],
  ['--normal-bg', 'var(--raised)'],
  ['--normal-text', 'var(--ink)'],
  ['--normal-border', 'var(--line)'],
  ...Object.entries(tones).flatMap(([type, tone]) => [
    [`--${type}-bg`, `var(--${tone}-soft)`],
    [`--${type}-text`, `var(--${tone})`],
    [`--${type}-border`, `color-mix(in srgb, var(--${tone}) 40%, transparent)`],
  ]),
]) as CSSProperties; // Safe: React passes custom properties on, although its type does not name them.

/**
 * The toasts, at the top right in the header. Several are stacked, and spread out on hover or focus. The library pauses their
 * timers while they are hovered or the tab is hidden; `pauseWhileFocused` adds focus.
 */
export function Toaster() {
  const theme = useTheme();
  useEffect(() => onDialogOpened(notify.dismissTransient), []);
  return (
    <div
      onFocusCapture={(event) => pauseWhileFocused(event, true)}
      onBlurCapture={(event) => pauseWhileFocused(event, false)}
    >
      <Sonner
        position="top-right"
        theme={theme}
        duration={otherToastMs}
        visibleToasts={mostToasts}
        closeButton
        richColors
        // At the edge, as high as the header: a toast must not cover a button of the screen, a filter or a row that the user
        // presses next. It covers the theme and the account, which are rarely needed (docs/decisions.md 129).
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
 * The library pauses its timers on hover but not on focus, so a button reached by keyboard would disappear. This sends the
 * mouse events that the library listens for.
 */
function pauseWhileFocused(event: FocusEvent, isInside: boolean): void {
  const list = event.target.closest('[data-sonner-toaster]');
  if (!list) return;
  if (isInside) list.dispatchEvent(new MouseEvent('mousemove', { bubbles: true }));
  else if (!list.contains(event.relatedTarget)) {
    list.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body }));
  }
}
