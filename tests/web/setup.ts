import { configure } from '@testing-library/react';
import { toast } from 'sonner';
import { vi } from 'vitest';

/**
 * What a test waits for comes when the machine gets to it: a busy one is not wrong because it takes more than the one second
 * that vi.waitFor gives by itself. A test that would wait in vain still fails, by its own time limit at the latest.
 */
const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: 20_000, ...options });
configure({ asyncUtilTimeout: 20_000 });

/**
 * A toast that goes after three seconds has gone before a busy machine looks for it: in the tests toasts stay until they are
 * dismissed, as closeApp and the screens do.
 */
for (const type of ['success', 'info', 'warning', 'error'] as const) {
  const show = toast[type];
  toast[type] = (message, options) => show(message, { ...options, duration: Infinity });
}
