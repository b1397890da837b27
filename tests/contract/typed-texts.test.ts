import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import type { Endpoint } from '../../src/shared/contract/define.ts';
import { contract } from '../../src/shared/contract/index.ts';
import { splitQuery, typedTexts } from '../../src/shared/contract/typed-texts.ts';

const parameters = Object.values(contract)
  .flatMap((calls) => Object.values<Endpoint>(calls))
  // The token of a share link is no search: whoever has the link may open it.
  .filter(({ roles }) => roles !== 'public')
  .flatMap(({ query, params }) => Object.entries<z.ZodType>({ ...query?.shape, ...params?.shape }));

it('keeps every parameter that can hold an account number, a PAN or a phone number out of the address', () => {
  const secrets = ['50100123456789', '9876543210', 'ABCDE1234F'];
  const able = parameters.flatMap(([name, schema]) =>
    secrets.some((text) => schema.safeParse(text).success) ? [name] : [],
  );
  expect([...new Set(able)].sort()).toEqual([...typedTexts].sort());
});

it('splits a query', () => {
  const query = new URLSearchParams({ page: '2', search: 'ABCDE1234F & co', tpNo: '', sortBy: 'name' });
  expect(Object.values(splitQuery(query)).map(String)).toEqual([
    'page=2&sortBy=name',
    'search=ABCDE1234F+%26+co&tpNo=',
  ]);
});

it('makes addresses of screens in one place only', () => {
  const web = path.resolve(import.meta.dirname, '../../src/web');
  const typed = new RegExp(`[?&](${[...typedTexts].join('|')})=|URLSearchParams`);
  const found = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && typed.test(readFileSync(path.join(web, file), 'utf8')),
  );
  expect(found.sort()).toEqual(['kit/api/client.ts', 'kit/filters/url-state.ts']);
});
