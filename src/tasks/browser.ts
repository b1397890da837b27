import { chromium } from 'playwright';
import { chromiumLaunchOptions, findSystemChromium, hasHeadlessShell } from './browser-path.ts';
import { installDebianPackage } from './debian.ts';
import { runTool, say } from './run.ts';

/** Finds a Chromium for the tests or installs one, and prints what it did. */
async function ensureBrowser(): Promise<boolean> {
  if (!hasHeadlessShell()) await installDebianPackage('chromium-headless-shell');
  if (await tryOut()) return true;
  if ((await installDebianPackage('chromium')) && (await tryOut())) return true;
  say("Browser: none found; installing Playwright's Chromium (playwright install chromium) …");
  return (await runTool('playwright', ['install', 'chromium'])) && (await tryOut());
}

/** Starts Chromium, because a file that exists may still lack a library. */
async function tryOut(): Promise<boolean> {
  try {
    const browser = await chromium.launch(chromiumLaunchOptions());
    say(`Browser: Chromium ${browser.version()} (${findSystemChromium() ?? chromium.executablePath()})`);
    await browser.close();
    return true;
  } catch {
    return false;
  }
}

if (!(await ensureBrowser())) {
  say(
    'Browser: no Chromium could be opened. Install one and name it by CHROMIUM_PATH, or run "npx playwright install --with-deps chromium".',
  );
  process.exitCode = 1;
}
