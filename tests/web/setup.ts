import './before-react.ts';
import { configure } from '@testing-library/react';
import * as React from 'react';
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

/**
 * React's development build takes a stack trace of each element that it makes, until it has made 10,000, for warnings that no
 * test reads. That was a quarter of the processor time of these tests. The counter is one of its internals: if a new version
 * calls it something else, the tests are slower and still right.
 */
const internals = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE';
const counters = (React as unknown as Record<string, object | undefined>)[internals];
if (counters) Object.defineProperty(counters, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => {} });
