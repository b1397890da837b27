/** What the environment says, read and checked once (wire.md, "Running"). An empty value counts as absent. */
export interface Env {
  port: number;
  host: string;
  /** A PostgreSQL server; absent: the embedded database under `dataDir`. */
  databaseUrl?: string;
  dataDir: string;
  /** The first admin of an empty database; absent: admin@localhost with a random password. */
  adminEmail?: string;
  adminPassword?: string;
  /** Where people reach the app, for share links; without a slash at the end. */
  publicUrl?: string;
  logLevel: LogLevel;
  nodeEnv: NodeEnv;
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const nodeEnvs = ['production', 'development', 'test'] as const;

export type LogLevel = (typeof logLevels)[number];
export type NodeEnv = (typeof nodeEnvs)[number];

/** One line that names the variable and what it may hold; never its value, which may be a secret. */
export class EnvError extends Error {
  override name = 'EnvError';
}

export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const get = (name: string): string | undefined => {
    const value = source[name]?.trim();
    return value === '' ? undefined : value;
  };
  const oneOf = <T extends string>(name: string, allowed: readonly T[], fallback: T): T => {
    const value = get(name);
    if (value === undefined) return fallback;
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) throw new EnvError(`${name} must be one of ${allowed.join(', ')}`);
    return found;
  };
  const databaseUrl = readUrl('DATABASE_URL', get('DATABASE_URL'), ['postgres:', 'postgresql:']);
  const publicUrl = readUrl('PUBLIC_URL', get('PUBLIC_URL'), ['http:', 'https:']);
  const adminEmail = readEmail(get('ADMIN_EMAIL'));
  const adminPassword = readPassword(source.ADMIN_PASSWORD);
  return {
    port: readPort(get('PORT')),
    host: readHost(get('HOST')),
    dataDir: get('DATA_DIR') ?? './data',
    logLevel: oneOf('LOG_LEVEL', logLevels, 'info'),
    nodeEnv: oneOf('NODE_ENV', nodeEnvs, 'production'),
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(publicUrl === undefined ? {} : { publicUrl: publicUrl.replace(/\/+$/, '') }),
    ...(adminEmail === undefined ? {} : { adminEmail }),
    ...(adminPassword === undefined ? {} : { adminPassword }),
  };
}

/** 0 asks the system for a free port. */
function readPort(value: string | undefined): number {
  if (value === undefined) return 3000;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (!(port <= 65_535)) throw new EnvError('PORT must be a whole number from 0 to 65535');
  return port;
}

function readHost(value: string | undefined): string {
  if (value === undefined) return '127.0.0.1';
  if (!/^[\w.:%-]+$/.test(value)) throw new EnvError('HOST must be a host name or an address, without a port');
  return value;
}

function readUrl(name: string, value: string | undefined, protocols: string[]): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !protocols.includes(url.protocol)) {
    throw new EnvError(`${name} must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
  }
  return value;
}

function readEmail(value: string | undefined): string | undefined {
  if (value !== undefined && !/^[^\s@]+@[^\s@]+$/.test(value))
    throw new EnvError('ADMIN_EMAIL must be an e-mail address');
  return value;
}

/** Taken as it is, spaces included. The minimum is the one for sub-admins (part 1, limits). */
function readPassword(value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (value.length < 6) throw new EnvError('ADMIN_PASSWORD must be at least 6 characters');
  return value;
}
