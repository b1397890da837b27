import { Refusal } from '../refusal.ts';

/**
 * Parses a JSON body. Also refuses what JSON.parse accepts: duplicate keys (the last would silently win), prototype
 * keys, and nesting deeper than any of our requests.
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalid('The request is not valid JSON.');
  }
  checkKeys(text);
  return value;
}

const maxDepth = 20;
const forbiddenKeys = new Set(['__proto__', 'constructor', 'prototype']);

function invalid(message: string): Refusal {
  return new Refusal('INVALID_JSON', message);
}

/** Checks the keys and the depth of text that is known to be valid JSON. Only strings, braces and brackets matter. */
function checkKeys(text: string): void {
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (sign === '{') open.push(new Set());
    else if (sign === '[') open.push(null);
    else if (sign === '}' || sign === ']') open.pop();
    else if (sign === '"') {
      const end = endOfString(text, at);
      const after = endOfSpace(text, end + 1);
      const keys = open.at(-1);
      if (keys && text[after] === ':') {
        // A slice between two quotes of valid JSON parses to a string.
        const key = JSON.parse(text.slice(at, end + 1)) as string;
        if (forbiddenKeys.has(key)) throw new Refusal('UNKNOWN_FIELD', `The field ${key} is not known.`);
        if (keys.has(key)) throw invalid(`The field ${key} is given twice.`);
        keys.add(key);
      }
      // Continue after the string, so that the text is read only once.
      at = after - 1;
    }
    if (open.length > maxDepth) throw invalid('The request is nested too deeply.');
  }
}

/** Returns the position after the JSON whitespace that begins at `start`. */
function endOfSpace(text: string, start: number): number {
  let end = start;
  while (text[end] === ' ' || text[end] === '\n' || text[end] === '\r' || text[end] === '\t') end += 1;
  return end;
}

function endOfString(text: string, start: number): number {
  let end = start + 1;
  while (text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  return end;
}
