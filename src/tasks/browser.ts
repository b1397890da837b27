import { chromium } from 'playwright';
import { chromiumLaunchOptions, findSystemChromium } from './browser-path.ts';
import { runTool, say } from './run.ts';

/** Sees to it that there is a Chromium for the tests, and says what it found or did. */
async function ensureBrowser(): Promise<boolean> {
  if (await tryOut()) return true;
  if (canUseApt() && (await installDebianPackage()) && (await tryOut())) return true;
  say("Browser: none found; installing Playwright's Chromium (playwright install chromium) …");
  return (await runTool('playwright', ['install', 'chromium'])) && (await tryOut());
}

/** Opens it: a file that is there may still lack a library. */
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

function canUseApt(): boolean {
  return process.platform === 'linux' && process.getuid?.() === 0;
}

async function installDebianPackage(): Promise<boolean> {
  if (!(await runTool('sh', ['-c', 'command -v apt-get >/dev/null']))) return false;
  say("Browser: none found; installing Debian's package (apt-get install chromium) …");
  process.env.DEBIAN_FRONTEND = 'noninteractive';
  return (await runTool('apt-get', ['update', '-q'])) && runTool('apt-get', ['install', '-y', '-q', 'chromium']);
}

if (!(await ensureBrowser())) {
  say(
    'Browser: no Chromium could be opened. Install one and name it by CHROMIUM_PATH, or run "npx playwright install --with-deps chromium".',
  );
  process.exitCode = 1;
}
