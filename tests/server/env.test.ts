import { describe, expect, it } from 'vitest';
import { EnvError, readEnv } from '../../src/server/env.ts';

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
        DATA_DIR: '/var/lib/challan-desk',
        ADMIN_EMAIL: 'admin@example.com',
        ADMIN_PASSWORD: ' with spaces ',
        PUBLIC_URL: 'https://challans.example/desk/',
        LOG_LEVEL: 'warn',
        NODE_ENV: 'test',
      }),
    ).toEqual({
      port: 0,
      host: '::1',
      databaseUrl: 'postgresql://user:secret@db.example:5432/challans?sslmode=require',
      dataDir: '/var/lib/challan-desk',
      adminEmail: 'admin@example.com',
      adminPassword: ' with spaces ',
      publicUrl: 'https://challans.example/desk',
      logLevel: 'warn',
      nodeEnv: 'test',
    });
  });

  it('counts an empty value as absent', () => {
    const names = ['PORT', 'HOST', 'DATABASE_URL', 'DATA_DIR', 'ADMIN_EMAIL', 'ADMIN_PASSWORD', 'PUBLIC_URL'];
    expect(readEnv(Object.fromEntries(names.map((name) => [name, ''])))).toEqual(readEnv({}));
  });

  it.each([
    ['PORT', '80a'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '3e3'],
    ['HOST', '127.0.0.1/8'],
    ['DATABASE_URL', 'mysql://secret-value@db/x'],
    ['DATABASE_URL', 'secret-value'],
    ['ADMIN_EMAIL', 'secret-value'],
    ['ADMIN_PASSWORD', 'short'],
    ['PUBLIC_URL', 'ftp://secret-value'],
    ['LOG_LEVEL', 'secret-value'],
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
