import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/server/http/json.ts';
import { Refusal } from '../../../src/server/refusal.ts';
import { testSeed } from '../../calc/seed.ts';
import { long } from '../../long.ts';

const codeOf = (text: string): string => {
  try {
    parseJson(text);
    return 'taken';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
};

describe('a JSON body', () => {
  it.each([0, 1, 62, 63, 64, 65, 1_000, 100_000])(
    'with the same key twice is refused %s spaces apart from its colon',
    (count) => {
      for (const sign of [' ', '\n', '\r', '\t']) {
        const gap = sign.repeat(count);
        expect(codeOf(`{"a":1,"a"${gap}:2}`)).toBe('INVALID_JSON');
        expect(codeOf(`{"a"${gap}:1,"a":2}`)).toBe('INVALID_JSON');
        expect(codeOf(`{"b":{"a"${gap}:[{"a":1}],${gap}"a"${gap}:${gap}2}}`)).toBe('INVALID_JSON');
        expect(codeOf(`{"__proto__"${gap}:{}}`)).toBe('UNKNOWN_FIELD');
        expect(codeOf(`{"b":{"constructor"${gap}:{}}}`)).toBe('UNKNOWN_FIELD');
      }
    },
  );

  it('may have the same word as key, value and element, and the same key in two objects', () => {
    const text = '{"a" : "a" , "b" : [ "a" , "a" , { "a" : "b" } , { "a" : { "a" : ":" } } ] , ":" : "a:" }';
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('is what JSON.parse makes of it, however it is spaced, and refused with one of its keys repeated', () => {
    const seed = testSeed('json body');
    const space = fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\r'), maxLength: 90 });
    const key = fc
      .string({ unit: 'binary', maxLength: 6 })
      .filter((name) => !/^(__proto__|constructor|prototype)$/.test(name));
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: 'binary' }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        tie('list'),
        tie('record'),
      ),
      list: fc.array(tie('any'), { maxLength: 3 }),
      record: fc.dictionary(key, tie('any'), { maxKeys: 4, noNullPrototype: true }),
    }));
    fc.assert(
      fc.property(value.record, key, space, space, (record, name, before, after) => {
        const spaced = (given: unknown): string => {
          if (Array.isArray(given)) return `[${given.map(spaced).join(`${before},${after}`)}]`;
          if (typeof given !== 'object' || given === null) return JSON.stringify(given);
          const parts = Object.entries(given).map(
            ([k, v]) => `${after}${JSON.stringify(k)}${before}:${after}${spaced(v)}${before}`,
          );
          return `{${parts.join(',')}${after}}`;
        };
        const text = spaced(record);
        expect(parseJson(text)).toEqual(JSON.parse(text));
        const twice = `{${JSON.stringify(name)}${before}:1${after},${after}${JSON.stringify(name)}${after}:${spaced(record)}}`;
        expect(codeOf(twice)).toBe('INVALID_JSON');
      }),
      { seed, numRuns: long(300) },
    );
  });
});
