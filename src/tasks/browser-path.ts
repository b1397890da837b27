import { existsSync } from 'node:fs';
import type { LaunchOptions } from 'playwright';

/** Where distributions put a Chromium that Playwright can drive, in the order they are tried. */
const systemChromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

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
