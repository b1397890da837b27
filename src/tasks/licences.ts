import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot, say } from './run.ts';
import { shippedPackages } from './shipped-packages.ts';

/**
 * npm run licences: writes dist/licences.txt and dist/sbom.json. licences.txt has every package that reaches a user, with
 * its licence and the text of the licence. sbom.json has all packages of the lock file in the CycloneDX format. It makes no
 * network request.
 */
const dist = join(projectRoot, 'dist');
mkdirSync(dist, { recursive: true });

const shipped = shippedPackages();
const heading = shipped.map(({ name, version, licence }) => `${name} ${version}: ${licence}`).join('\n');
const texts = shipped.flatMap(({ name, version, path }) => {
  const folder = join(projectRoot, path);
  // A package for another platform is not installed here.
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  return files.map(
    (file) => `${'='.repeat(80)}\n${name} ${version}, ${file}\n\n${readFileSync(join(folder, file), 'utf8')}`,
  );
});
writeFileSync(join(dist, 'licences.txt'), `${heading}\n\n${texts.join('\n')}\n`);

const sbom = execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only', '--loglevel', 'error'], {
  cwd: projectRoot,
  maxBuffer: 64 * 1024 * 1024,
});
writeFileSync(join(dist, 'sbom.json'), sbom);
say(`dist/licences.txt: ${shipped.length} packages. dist/sbom.json: CycloneDX, of package-lock.json.`);
