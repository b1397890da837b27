import { findLibreOffice, libreOfficeMissing } from './libreoffice.ts';
import { runTool, say } from './run.ts';

/** Sees to it that there is one, and says what it found or did. */
async function ensureLibreOffice(): Promise<void> {
  if (findLibreOffice() === undefined) await installDebianPackage();
  const found = findLibreOffice();
  say(found === undefined ? `LibreOffice: ${libreOfficeMissing}` : `LibreOffice: ${found}`);
}

async function installDebianPackage(): Promise<void> {
  const isPossible = process.platform === 'linux' && process.getuid?.() === 0;
  if (!isPossible || !(await runTool('sh', ['-c', 'command -v apt-get >/dev/null']))) return;
  say("LibreOffice: none found; installing Debian's package (apt-get install libreoffice-calc-nogui) …");
  process.env.DEBIAN_FRONTEND = 'noninteractive';
  if (await runTool('apt-get', ['update', '-q'])) {
    await runTool('apt-get', ['install', '-y', '-q', '--no-install-recommends', 'libreoffice-calc-nogui']);
  }
}

// Without it the tests that open files with it fail, each saying why; the others are worth running all the same.
await ensureLibreOffice();
