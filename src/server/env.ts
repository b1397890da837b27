import { isIP } from 'node:net';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { ArchivePlan } from '../ops/log-archive.ts';
import type { TlsFiles } from './http/tls.ts';
import { OperatorError } from './operator-error.ts';

/**
 * The settings from the environment variables, parsed and checked once (docs/specification.md §18.1). An empty value
 * counts as absent.
 */
export interface Env {
  port: number;
  host: string;
  /**
   * Connects to a PostgreSQL server with the role of requests. Absent: the embedded database under `dataDir` is used.
   */
  databaseUrl?: string;
  /** The same database as the owner of the schema, for migrations. Absent: somebody else migrates the database. */
  databaseAdminUrl?: string;
  /** A streaming replica of `databaseUrl`, for reads that may lag. It has the same role and password. */
  databaseReadUrl?: string;
  dataDir: string;
  /** The first admin of an empty database; absent: admin@localhost with a random password. */
  adminEmail?: string;
  adminPassword?: string;
  /** true: an admin without a second step at sign-in has to set one up before anything else. */
  adminSecondStep?: boolean;
  /** The file of the key that encrypts the secrets of second steps. Absent: one in `dataDir`. */
  secondStepKeyFile?: string;
  /** The address at which people reach the app, for share links; without a slash at the end. */
  publicUrl?: string;
  /**
   * The proxies in front whose X-Forwarded-For and -Proto headers are trusted, as addresses and CIDR ranges. Absent:
   * none.
   */
  trustProxy?: readonly string[];
  /** The certificate and key files in PEM. When they are set, the app serves HTTPS itself. */
  tls?: TlsFiles;
  /** false: the API document and its page are not served. */
  apiDocs?: boolean;
  /** The port on this machine at which metrics for Prometheus are served. */
  metricsPort?: number;
  /**
   * A statement that takes at least `slowStatementMs` is logged. Calls are refused while a turn of the event loop takes
   * at least `shedLagMs`.
   */
  slowStatementMs?: number;
  shedLagMs?: number;
  logLevel: LogLevel;
  nodeEnv: NodeEnv;
  /** The settings of backups. Absent: no variable of backups is set. */
  backups?: BackupSettings;
  /** A line about each variable that looks like one of ours and is none, such as BACKUP_KEYFILE. */
  unknown?: readonly string[];
}

export interface BackupSettings {
  /** Where the server stores a backup every night. Absent: it makes no backups. */
  directory?: string;
  /** The file with the key that encrypts the backups. Absent: they are not encrypted. */
  keyFile?: string;
  /** For how many days, and for how many weeks, the newest backup is kept in the directory. */
  daily: number;
  weekly: number;
  /** A shell command that runs after each backup and gets its path as the last argument. */
  command?: string;
  /** The directory in which the log of the embedded database is archived. Absent: it is not archived. */
  walDirectory?: string;
}

export const defaultBackups: BackupSettings = { daily: 14, weekly: 8 };

/**
 * Returns how the embedded database's log is archived. Every start of that database must use it: one start without it
 * would leave a gap in the log.
 */
export function archivePlan(settings: BackupSettings | undefined): ArchivePlan | undefined {
  if (settings?.walDirectory === undefined) return undefined;
  return { directory: resolve(settings.walDirectory), keyFile: settings.keyFile };
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
const nodeEnvs = ['production', 'development', 'test'] as const;

type LogLevel = (typeof logLevels)[number];
type NodeEnv = (typeof nodeEnvs)[number];

/**
 * An invalid setting. The message is one line that names the variable and its allowed values, and never its value,
 * because that may be a secret.
 */
export class EnvError extends OperatorError {
  override name = 'EnvError';
}

export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  const known = new Set(['ADMIN_PASSWORD']);
  const get = (name: string): string | undefined => {
    known.add(name);
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
  const databaseAdminUrl = readUrl('DATABASE_ADMIN_URL', get('DATABASE_ADMIN_URL'), ['postgres:', 'postgresql:']);
  const databaseReadUrl = readUrl('DATABASE_READ_URL', get('DATABASE_READ_URL'), ['postgres:', 'postgresql:']);
  const publicUrl = readUrl('PUBLIC_URL', get('PUBLIC_URL'), ['http:', 'https:']);
  const metricsPort = readPort('METRICS_PORT', get('METRICS_PORT'));
  const slowStatementMs = readMilliseconds('SLOW_STATEMENT_MS', get('SLOW_STATEMENT_MS'));
  const shedLagMs = readMilliseconds('SHED_LAG_MS', get('SHED_LAG_MS'));
  const adminEmail = readEmail(get('ADMIN_EMAIL'));
  const adminPassword = readPassword(source.ADMIN_PASSWORD);
  const secondStepKeyFile = get('SECOND_STEP_KEY_FILE');
  const trustProxy = readProxies(get('TRUST_PROXY'));
  const host = readHost(get('HOST'));
  const [cert, key] = [get('TLS_CERT'), get('TLS_KEY')];
  if ((cert === undefined) !== (key === undefined)) {
    const [given, missing] = cert === undefined ? ['TLS_KEY', 'TLS_CERT'] : ['TLS_CERT', 'TLS_KEY'];
    throw new EnvError(
      `${given} must be given together with ${missing}: the files of a certificate and of its private key`,
    );
  }
  const tls = cert !== undefined && key !== undefined ? { cert, key } : undefined;
  const accepts = (name: string): boolean => oneOf(name, ['yes', 'no'], 'no') === 'yes';
  if (!accepts('INSECURE_HTTP') && !isLoopback(host) && trustProxy === undefined && tls === undefined) {
    throw new EnvError(
      'HOST must be an address of this machine alone (such as 127.0.0.1), since passwords would cross the network unencrypted. ' +
        'Set TLS_CERT and TLS_KEY, or put a proxy with TLS in front and name it in TRUST_PROXY, or set INSECURE_HTTP=yes',
    );
  }
  if (databaseAdminUrl !== undefined && databaseUrl === undefined) {
    throw new EnvError('DATABASE_ADMIN_URL must be set together with DATABASE_URL, with which requests are served');
  }
  if (databaseAdminUrl !== undefined && new URL(databaseAdminUrl).searchParams.has('pooler')) {
    throw new EnvError('DATABASE_ADMIN_URL must be the way to the server itself, past the pooler');
  }
  if (databaseReadUrl !== undefined && databaseUrl === undefined) {
    throw new EnvError('DATABASE_READ_URL must be set together with DATABASE_URL, whose replica it is');
  }
  const isSafe = (url: string | undefined): boolean => url === undefined || isPrivateConnection(new URL(url));
  for (const [name, url] of Object.entries({
    DATABASE_URL: databaseUrl,
    DATABASE_ADMIN_URL: databaseAdminUrl,
    DATABASE_READ_URL: databaseReadUrl,
  })) {
    if (accepts('INSECURE_DATABASE') || isSafe(url)) continue;
    throw new EnvError(
      `${name} must be reached through TLS (add ?sslmode=verify-full), since it is on another machine. ` +
        'If the way there is safe without it, set INSECURE_DATABASE=yes',
    );
  }
  if (get('POSTGRES_BIN') !== undefined && databaseUrl !== undefined) {
    throw new EnvError('POSTGRES_BIN must be absent with DATABASE_URL: a server has its own programs');
  }
  const backups = readBackups(get);
  const dataDir = get('DATA_DIR') ?? './data';
  if (
    backups.backups?.directory !== undefined &&
    databaseUrl === undefined &&
    isInside(backups.backups.directory, dataDir)
  )
    throw new EnvError('BACKUP_DIR must not be inside DATA_DIR: what destroys the data would destroy its backups too');
  const settings = {
    port: readPort('PORT', get('PORT')) ?? 3000,
    host,
    dataDir,
    logLevel: oneOf('LOG_LEVEL', logLevels, 'info'),
    nodeEnv: oneOf('NODE_ENV', nodeEnvs, 'production'),
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    ...(databaseAdminUrl === undefined ? {} : { databaseAdminUrl }),
    ...(databaseReadUrl === undefined ? {} : { databaseReadUrl }),
    ...(publicUrl === undefined ? {} : { publicUrl: publicUrl.replace(/\/+$/, '') }),
    ...(metricsPort === undefined ? {} : { metricsPort }),
    ...(slowStatementMs === undefined ? {} : { slowStatementMs }),
    ...(shedLagMs === undefined ? {} : { shedLagMs }),
    ...(tls === undefined ? {} : { tls }),
    ...(oneOf('API_DOCS', ['yes', 'no'], 'yes') === 'no' && { apiDocs: false }),
    ...(trustProxy === undefined ? {} : { trustProxy }),
    ...(adminEmail === undefined ? {} : { adminEmail }),
    ...(adminPassword === undefined ? {} : { adminPassword }),
    ...(oneOf('ADMIN_SECOND_STEP', ['yes', 'no'], 'no') === 'yes' && { adminSecondStep: true }),
    ...(secondStepKeyFile === undefined ? {} : { secondStepKeyFile }),
    ...backups,
  };
  const unknown = unknownNames(Object.keys(source), known);
  return unknown.length === 0 ? settings : { ...settings, unknown };
}

/** The beginnings of our names that no other program is likely to use. */
const ownPrefixes = /^(ADMIN|BACKUP|DATABASE|INSECURE|METRICS|SECOND_STEP|SHED|SLOW_STATEMENT|TLS|TRUST_PROXY|WAL)_/;

function unknownNames(names: readonly string[], known: ReadonlySet<string>): string[] {
  const bare = (name: string): string => name.replaceAll('_', '');
  return names
    .filter((name) => ownPrefixes.test(name) && !known.has(name))
    .sort()
    .map((name) => {
      const meant = [...known].find(
        (one) => bare(one) === bare(name) || one.startsWith(`${name}_`) || name.startsWith(one),
      );
      return `${name} is no setting of this program and does nothing${meant === undefined ? '' : `: is ${meant} meant?`}`;
    });
}

function isInside(directory: string, parent: string): boolean {
  const way = relative(resolve(parent), resolve(directory));
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

function readBackups(get: (name: string) => string | undefined): { backups?: BackupSettings } {
  if (get('BACKUP_DIR') !== undefined && get('DATABASE_URL') !== undefined && get('DATABASE_ADMIN_URL') === undefined) {
    throw new EnvError('BACKUP_DIR needs DATABASE_ADMIN_URL: the role of requests may not read everything');
  }
  const [directory, keyFile, command] = [get('BACKUP_DIR'), get('BACKUP_KEY_FILE'), get('BACKUP_COMMAND')];
  const walDirectory = readWalDirectory(get, directory);
  const given = [directory, keyFile, command, get('BACKUP_DAILY'), get('BACKUP_WEEKLY'), walDirectory];
  if (given.every((value) => value === undefined)) return {};
  const count = (name: string, fallback: number): number => {
    const value = get(name);
    if (value === undefined) return fallback;
    if (!/^[1-9]\d{0,3}$/.test(value)) throw new EnvError(`${name} must be a whole number from 1 to 9999`);
    return Number(value);
  };
  return {
    backups: {
      daily: count('BACKUP_DAILY', defaultBackups.daily),
      weekly: count('BACKUP_WEEKLY', defaultBackups.weekly),
      ...(directory === undefined ? {} : { directory }),
      ...(keyFile === undefined ? {} : { keyFile }),
      ...(command === undefined ? {} : { command }),
      ...(walDirectory === undefined ? {} : { walDirectory }),
    },
  };
}

/**
 * Returns the directory for the archived log: below the backups unless WAL_DIR says otherwise. Whoever wants backups
 * also wants the changes made since the last one.
 */
function readWalDirectory(get: (name: string) => string | undefined, backups: string | undefined): string | undefined {
  const given = get('WAL_DIR');
  if (get('DATABASE_URL') !== undefined) {
    if (given === undefined || given === 'none') return undefined;
    throw new EnvError('WAL_DIR must be absent with DATABASE_URL: a server archives its own log (docs/running.md)');
  }
  if (given === 'none') return undefined;
  if (given !== undefined && backups === undefined) {
    throw new EnvError('WAL_DIR must be set together with BACKUP_DIR, onto whose backups the log is replayed');
  }
  return given ?? (backups === undefined ? undefined : join(backups, 'wal'));
}

/** Parses a port number. 0 lets the system choose a free port. */
function readPort(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (!(port <= 65_535)) throw new EnvError(`${name} must be a whole number from 0 to 65535`);
  return port;
}

function readMilliseconds(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(value))
    throw new EnvError(`${name} must be a whole number of milliseconds from 1 to 999999`);
  return Number(value);
}

function readHost(value: string | undefined): string {
  if (value === undefined) return '127.0.0.1';
  if (!/^[\w.:%-]+$/.test(value)) throw new EnvError('HOST must be a host name or an address, without a port');
  return value;
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);

/**
 * Whether the connection stays on this machine (also through a socket: without a host or with a folder as the host) or
 * uses TLS.
 */
function isPrivateConnection({ hostname, searchParams }: URL): boolean {
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  if (host === '' || host.startsWith('/') || isLoopback(host)) return true;
  const mode = searchParams.get('sslmode') ?? '';
  return ['require', 'verify-ca', 'verify-full'].includes(mode);
}

function readUrl(name: string, value: string | undefined, protocols: string[]): string | undefined {
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || !protocols.includes(url.protocol)) {
    throw new EnvError(`${name} must be an address that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`);
  }
  const pooler = url.searchParams.get('pooler');
  if (pooler !== null && pooler !== 'transaction') {
    throw new EnvError(`${name} must be without pooler, or with pooler=transaction`);
  }
  return value;
}

function readEmail(value: string | undefined): string | undefined {
  if (value !== undefined && !/^[^\s@]+@[^\s@]+$/.test(value))
    throw new EnvError('ADMIN_EMAIL must be an e-mail address');
  return value;
}

/**
 * Checks the password without trimming it. The first admin may do everything, so it needs at least 12 characters
 * (docs/security.md §2.2); accounts that are created later keep the minimum of docs/specification.md §5.2. A password
 * longer than the sign-in accepts (contract/scalars.ts) would lock everybody out.
 */
function readPassword(value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (value.length < 12 || value.length > 128) throw new EnvError('ADMIN_PASSWORD must be 12 to 128 characters long');
  return value;
}

/**
 * Parses the list of proxies. It never accepts all addresses, because a trusted sender can claim that a sign-in comes
 * from anywhere.
 */
function readProxies(value: string | undefined): string[] | undefined {
  if (value === undefined) return undefined;
  const proxies = value.split(',').map((proxy) => proxy.trim());
  if (!proxies.every(isProxy)) {
    throw new EnvError('TRUST_PROXY must be addresses or ranges such as 10.0.0.0/8, separated by commas');
  }
  return proxies;
}

function isProxy(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (family === 0 || address.includes('%') || more.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}
