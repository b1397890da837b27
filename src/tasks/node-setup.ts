import { mkdir, rm } from 'node:fs/promises';
import { findNode, nodeLines, nodeMissing, nodePackage, placeOf } from './node-versions.ts';
import { runTool, say } from './run.ts';

/** Fetches a Node of each promised line for the tests that run the built server on it; some 45 MB each, once. */
async function fetchNode(line: number): Promise<void> {
  say(`Fetching Node ${line} for the tests (npm install ${nodePackage}@${line}) …`);
  const place = placeOf(line);
  await rm(place, { recursive: true, force: true });
  await mkdir(place, { recursive: true });
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  await runTool('npm', ['install', '--prefix', place, ...options, `${nodePackage}@${line}`]);
}

for (const line of nodeLines) {
  if (findNode(line) === undefined) await fetchNode(line);
  // Without it the tests that run on it fail, each saying why; the others are worth running all the same.
  say(`Node ${line}: ${findNode(line) ?? nodeMissing(line)}`);
}
