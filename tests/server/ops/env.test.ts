import { describe, expect, it } from 'vitest';
import { EnvError, readEnv } from '../../../src/server/env.ts';

describe('readEnv', () => {
  it('has a value for everything that must have one', () => {
    expect(readEnv({})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      dataDir: './data',
      logLevel: 'info',
      nodeEnv: 'production',
    });
  });

  it('takes what is given', () => {
    expect(
      readEnv({
        PORT: '0',
        HOST: '::1',
        DATABASE_URL: 'postgresql://user:secret@db.example:5432/challans?sslmode=require',
        DATABASE_ADMIN_URL: 'postgresql://owner:secret@db.example:5432/challans?sslmode=require',
        DATABASE_READ_URL: 'postgresql://user:secret@replica.example:5432/challans?sslmode=require',
        DATA_DIR: '/var/lib/challan-desk',
        ADMIN_EMAIL: 'admin@example.com',
        ADMIN_PASSWORD: ' with spaces ',
        PUBLIC_URL: 'https://challans.example/desk/',
        TRUST_PROXY: '10.0.0.0/8, 192.0.2.7,2001:db8::/32',
        TLS_CERT: '/etc/desk/cert.pem',
        TLS_KEY: '/etc/desk/key.pem',
        LOG_LEVEL: 'warn',
        SLOW_STATEMENT_MS: '250',
        SHED_LAG_MS: '400',
        NODE_ENV: 'test',
        BACKUP_DIR: '/var/backups/challan-desk',
        BACKUP_WEEKLY: '4',
      }),
    ).toEqual({
      port: 0,
      host: '::1',
      databaseUrl: 'postgresql://user:secret@db.example:5432/challans?sslmode=require',
      databaseAdminUrl: 'postgresql://owner:secret@db.example:5432/challans?sslmode=require',
      databaseReadUrl: 'postgresql://user:secret@replica.example:5432/challans?sslmode=require',
      dataDir: '/var/lib/challan-desk',
      adminEmail: 'admin@example.com',
      adminPassword: ' with spaces ',
      publicUrl: 'https://challans.example/desk',
      trustProxy: ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'],
      tls: { cert: '/etc/desk/cert.pem', key: '/etc/desk/key.pem' },
      slowStatementMs: 250,
      shedLagMs: 400,
      logLevel: 'warn',
      nodeEnv: 'test',
      backups: { directory: '/var/backups/challan-desk', daily: 14, weekly: 4 },
    });
  });

  it('archives the log below the backups of the embedded database, elsewhere, or not at all', () => {
    const walOf = (source: NodeJS.ProcessEnv) => readEnv(source).backups?.walDirectory;
    expect(walOf({ BACKUP_DIR: '/mnt/backups' })).toBe('/mnt/backups/wal');
    expect(walOf({ BACKUP_DIR: '/mnt/backups', WAL_DIR: '/mnt/log' })).toBe('/mnt/log');
    expect(walOf({ BACKUP_DIR: '/mnt/backups', WAL_DIR: 'none' })).toBeUndefined();
    expect(walOf({ BACKUP_KEY_FILE: '/etc/desk.key' })).toBeUndefined();
    expect(() => readEnv({ WAL_DIR: '/mnt/log' })).toThrow(
      'WAL_DIR must be set together with BACKUP_DIR, onto whose backups the log is replayed',
    );
    const server = { DATABASE_URL: 'postgres://a@localhost/b', DATABASE_ADMIN_URL: 'postgres://c@localhost/b' };
    expect(walOf({ ...server, BACKUP_DIR: '/mnt/backups' })).toBeUndefined();
    expect(() => readEnv({ ...server, BACKUP_DIR: '/mnt/backups', WAL_DIR: '/mnt/log' })).toThrow(
      'WAL_DIR must be absent with DATABASE_URL',
    );
  });

  it('refuses backups inside the data, and names what is no setting', () => {
    const inside = 'BACKUP_DIR must not be inside DATA_DIR: what destroys the data would destroy its backups too';
    expect(() => readEnv({ BACKUP_DIR: './data/backups' })).toThrow(inside);
    expect(() => readEnv({ DATA_DIR: '/var/desk', BACKUP_DIR: '/var/desk' })).toThrow(inside);
    expect(readEnv({ DATA_DIR: '/var/desk', BACKUP_DIR: '/var/desk-backups' }).unknown).toBeUndefined();
    expect(readEnv({ BACKUP_KEYFILE: '/key', BACKUP_HOUR: '3', DATABASE_URLS: 'x', PATH: '/bin' }).unknown).toEqual([
      'BACKUP_HOUR is no setting of this program and does nothing',
      'BACKUP_KEYFILE is no setting of this program and does nothing: is BACKUP_KEY_FILE meant?',
      'DATABASE_URLS is no setting of this program and does nothing: is DATABASE_URL meant?',
    ]);
  });

  it('serves the API document unless told otherwise', () => {
    expect([readEnv({}).apiDocs, readEnv({ API_DOCS: 'yes' }).apiDocs, readEnv({ API_DOCS: 'no' }).apiDocs]).toEqual([
      undefined,
      undefined,
      false,
    ]);
  });

  it('counts an empty value as absent', () => {
    const names = [
      'PORT',
      'HOST',
      'DATABASE_URL',
      'DATABASE_ADMIN_URL',
      'DATA_DIR',
      'ADMIN_EMAIL',
      'ADMIN_PASSWORD',
      'PUBLIC_URL',
      'TRUST_PROXY',
      'METRICS_PORT',
      'API_DOCS',
      'TLS_CERT',
      'TLS_KEY',
      'INSECURE_HTTP',
      'INSECURE_DATABASE',
    ];
    expect(readEnv(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readEnv({}));
  });

  it.each([
    { HOST: '0.0.0.0', TRUST_PROXY: '10.0.0.1' },
    { HOST: '0.0.0.0', INSECURE_HTTP: 'yes' },
    { HOST: '0.0.0.0', TLS_CERT: 'cert.pem', TLS_KEY: 'key.pem' },
    { HOST: 'localhost' },
    { HOST: '127.1.2.3' },
  ])('listens where nobody reads along, or where that is accepted: %o', (given) => {
    expect(readEnv(given).host).toBe(given.HOST);
  });

  it.each([
    { DATABASE_URL: 'postgres://user:secret@localhost/challans' },
    { DATABASE_URL: 'postgres://user:secret@[::1]:5432/challans' },
    { DATABASE_URL: 'postgres:///challans?host=/var/run/postgresql' },
    { DATABASE_URL: 'postgres://user:secret@db.example/challans?sslmode=verify-full' },
    { DATABASE_URL: 'postgres://user:secret@db.example/challans', INSECURE_DATABASE: 'yes' },
  ])('uses a database that nobody reads along with, or where that is accepted: %o', (given) => {
    expect(readEnv(given).databaseUrl).toBe(given.DATABASE_URL);
  });

  it('takes a pooler for requests, and the server itself for what its owner does', () => {
    const pooled = 'postgres://user:secret@localhost:6432/challans?pooler=transaction';
    const owner = 'postgres://owner:secret@localhost/challans';
    expect(readEnv({ DATABASE_URL: pooled, DATABASE_ADMIN_URL: owner }).databaseUrl).toBe(pooled);
    expect(() => readEnv({ DATABASE_URL: pooled, DATABASE_ADMIN_URL: pooled })).toThrow(
      'DATABASE_ADMIN_URL must be the way to the server itself, past the pooler',
    );
  });

  it.each(['twelve chars', 'x'.repeat(128)])('takes an ADMIN_PASSWORD of 12 to 128 characters: %s', (password) => {
    expect(readEnv({ ADMIN_PASSWORD: password }).adminPassword).toBe(password);
  });

  it.each([
    ['PORT', '80a'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '3e3'],
    ['HOST', '127.0.0.1/8'],
    ['HOST', '0.0.0.0'],
    ['HOST', '::'],
    ['HOST', '192.168.1.5'],
    ['HOST', 'desk.example'],
    ['HOST', '127.0.0.1.evil.example'],
    ['METRICS_PORT', '9090/metrics'],
    ['TLS_CERT', 'alone.pem'],
    ['TLS_KEY', 'alone.pem'],
    ['INSECURE_HTTP', 'true'],
    ['INSECURE_DATABASE', '1'],
    ['DATABASE_URL', 'postgres://user:secret@db.example/challans'],
    ['DATABASE_URL', 'postgres://user:secret@10.0.0.5/challans?sslmode=prefer'],
    ['DATABASE_URL', 'postgres://user:secret@10.0.0.5/challans?sslmode=no-verify'],
    ['DATABASE_URL', 'postgres://user:secret@localhost/challans?host=db.example'],
    ['DATABASE_URL', 'mysql://secret-value@db/x'],
    ['DATABASE_ADMIN_URL', 'mysql://secret-value@db/x'],
    ['DATABASE_ADMIN_URL', 'postgres://owner:secret@localhost/challans'],
    ['DATABASE_READ_URL', 'postgres://user:secret@localhost/challans'],
    ['DATABASE_URL', 'postgres://user:secret@localhost/challans?pooler=statement'],
    ['DATABASE_URL', 'secret-value'],
    ['ADMIN_EMAIL', 'secret-value'],
    ['ADMIN_PASSWORD', 'short'],
    ['ADMIN_PASSWORD', 'eleven char'],
    ['ADMIN_PASSWORD', 'x'.repeat(129)],
    ['TRUST_PROXY', 'true'],
    ['TRUST_PROXY', '*'],
    ['TRUST_PROXY', 'proxy.example'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '10.0.0.0/33'],
    ['TRUST_PROXY', '192.0.2.1,,192.0.2.2'],
    ['TRUST_PROXY', '10.0.0.1/8/8'],
    ['PUBLIC_URL', 'ftp://secret-value'],
    ['API_DOCS', 'off'],
    ['LOG_LEVEL', 'secret-value'],
    ['SLOW_STATEMENT_MS', '0'],
    ['SLOW_STATEMENT_MS', '1.5'],
    ['SHED_LAG_MS', '1000000'],
    ['NODE_ENV', 'secret-value'],
  ])('refuses %s=%s with one line that names it and hides the value', (name, value) => {
    let refusal: unknown;
    try {
      readEnv({ [name]: value });
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(EnvError);
    const { message } = refusal as EnvError;
    expect(message.startsWith(`${name} must be `)).toBe(true);
    expect(message).not.toContain('\n');
    expect(message).not.toContain(value);
  });
});
