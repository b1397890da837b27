import { existsSync } from 'node:fs';
import type { LaunchOptions } from 'playwright';

/** Chromium without a window: the tests need a tenth less of the processor than with the whole browser. */
const headlessShell = '/usr/bin/chromium-headless-shell';

/** Where distributions put a Chromium that Playwright can drive, in the order they are tried. */
const systemChromium = [headlessShell, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Whether there is a Chromium without a window, or another one is named by CHROMIUM_PATH. */
export const hasHeadlessShell = (): boolean => Boolean(process.env.CHROMIUM_PATH) || existsSync(headlessShell);

/** The path of the system's Chromium; undefined: there is none, and Playwright uses the one that it has downloaded. */
export function findSystemChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  return [named, ...systemChromium].find((path) => path !== undefined && path !== '' && existsSync(path));
}

/** The launch options of every test that opens a browser. Chromium does not run as root with its sandbox. */
export function chromiumLaunchOptions(): LaunchOptions {
  const executablePath = findSystemChromium();
  const isRoot = process.getuid?.() === 0;
  return {
    ...(executablePath ? { executablePath } : {}),
    args: [
      ...(isRoot ? ['--no-sandbox'] : []),
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  };
}
