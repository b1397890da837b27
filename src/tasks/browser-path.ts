import { existsSync } from 'node:fs';
import type { LaunchOptions } from 'playwright';

/** Where distributions put a Chromium that Playwright can drive, in the order they are tried. */
const systemChromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The system's Chromium, or undefined, when Playwright's own download is used. */
export function findSystemChromium(): string | undefined {
  const named = process.env.CHROMIUM_PATH;
  return [named, ...systemChromium].find((path) => path !== undefined && path !== '' && existsSync(path));
}

/** Launch options shared by every test that opens a browser; root may not use Chromium's sandbox. */
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
