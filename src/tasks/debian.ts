import { runTool, say } from './run.ts';

/** Installs a Debian package that the tests need and prints that it does. Returns false when it cannot. */
export async function installDebianPackage(name: string, ...options: string[]): Promise<boolean> {
  const isPossible = process.platform === 'linux' && process.getuid?.() === 0;
  if (!isPossible || !(await runTool('sh', ['-c', 'command -v apt-get >/dev/null']))) return false;
  say(`Installing Debian's package (apt-get install ${name}) …`);
  process.env.DEBIAN_FRONTEND = 'noninteractive';
  return (await runTool('apt-get', ['update', '-q'])) && runTool('apt-get', ['install', '-y', '-q', ...options, name]);
}
