import { buildApp } from './build-app.ts';
import { isBuilt } from './built.ts';
import { say } from './run.ts';

if (await isBuilt()) {
  say('dist is up to date.');
} else {
  const begun = performance.now();
  await buildApp();
  say(`Built dist in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
}
