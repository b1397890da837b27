import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from '../../../src/server/app.ts';
import { startApi, type Api } from '../support/api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

async function withApp(
  work: (
    send: (payload: string, type?: string, from?: string) => Promise<{ statusCode: number; headers: object }>,
    lines: string[],
  ) => Promise<void>,
): Promise<void> {
  const lines: string[] = [];
  const app = await buildApp({ pools: api.pools, logLevel: 'warn', log: { write: (line) => lines.push(line) } });
  try {
    await work(
      (payload, type = 'application/csp-report', remoteAddress = '198.51.100.1') =>
        app.inject({
          method: 'POST',
          url: '/api/policy-reports',
          headers: { 'content-type': type },
          payload,
          remoteAddress,
        }),
      lines,
    );
  } finally {
    await app.close();
  }
}

const report = (facts: object): string => JSON.stringify({ 'csp-report': facts });

it('logs what broke the policy, and no address that could name anybody', async () => {
  await withApp(async (send, lines) => {
    const answer = await send(
      report({
        'document-uri': 'https://desk.example/share/secret-token/page',
        referrer: 'https://desk.example/accounting/34567890123',
        'effective-directive': 'style-src-elem',
        'blocked-uri': 'https://evil.example:8443/path?token=secret',
        'source-file': 'https://desk.example/assets/main-1a2b.js',
        'line-number': 12,
        'script-sample': 'secret',
      }),
    );
    expect(answer.statusCode).toBe(204);
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      msg: 'a page broke its policy',
      directive: 'style-src-elem',
      blocked: 'https://evil.example:8443',
      file: '/assets/main-1a2b.js',
      line: 12,
    });
    expect(lines[0]).not.toMatch(/secret|34567890123|document|referrer/);
    await send(report({ 'effective-directive': 'style\nsrc', 'blocked-uri': 'inline', 'source-file': '/challans/1' }));
    const { directive, blocked, file } = JSON.parse(lines[1]!) as Record<string, unknown>;
    expect({ directive, blocked, file }).toEqual({ directive: undefined, blocked: 'inline', file: undefined });
  });
});

it('takes no other content, none that is too large, and only some of one network', async () => {
  await withApp(async (send, lines) => {
    expect((await send('{}', 'application/json')).statusCode).toBe(400);
    expect((await send('{}', 'text/plain')).statusCode).toBe(415);
    expect((await send('{')).statusCode).toBe(400);
    expect((await send(report({ 'script-sample': 'x'.repeat(17_000) }))).statusCode).toBe(413);
    expect(lines).toEqual([]);
    const codes: number[] = [];
    for (let n = 0; n < 30; n += 1) codes.push((await send(report({}), undefined, '198.51.100.2')).statusCode);
    // A new one comes every ten seconds: on a slow machine one more than the first twenty may be taken.
    expect(codes.slice(0, 20)).toEqual(Array<number>(20).fill(204));
    expect(codes).toContain(429);
    expect((await send(report({}), undefined, '198.51.100.3')).statusCode).toBe(204);
    expect((await send(report({}), undefined, '198.51.100.2')).headers).toHaveProperty('retry-after');
  });
});
