import { vi } from 'vitest';

/**
 * What a test waits for comes when the machine gets to it: a busy one is not wrong because it takes more than the one second
 * that vi.waitFor gives by itself. A test that would wait in vain still fails, by its own time limit at the latest.
 */
const { waitFor } = vi;
vi.waitFor = (callback, options) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: 20_000, ...options });
