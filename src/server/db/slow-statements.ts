import type { PoolClient } from 'pg';

/** A statement that took long: its name, where it has one, and its text without values. */
export interface SlowStatement {
  statement: string | undefined;
  shape: string;
  ms: number;
}

export interface SlowWatch {
  fromMs: number;
  say: (slow: SlowStatement) => void;
}

const longestShape = 500;

/** Parameters are no part of a text; what is written into it (of a COPY, a setting) is left out. */
export function shapeOf(text: string): string {
  return text
    .replace(/E?'(?:[^']|'')*'/g, '?')
    .replace(/(?<![\w$.])\d+(\.\d+)?/g, '?')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, longestShape);
}

/** Measured from sending to the answer; a stream lasts as long as its reader takes and is no statement here. */
export function watchSlow(client: PoolClient, { fromMs, say }: SlowWatch): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const watched = (asked: unknown, ...rest: unknown[]): unknown => {
    const begun = performance.now();
    const answer = query(asked, ...rest);
    const end = (): void => {
      const ms = Math.round(performance.now() - begun);
      if (ms < fromMs) return;
      const { name, text } = typeof asked === 'string' ? { name: undefined, text: asked } : (asked as Partial<Asked>);
      say({ statement: name, shape: shapeOf(text ?? ''), ms });
    };
    if (answer instanceof Promise) answer.then(end, end);
    return answer;
  };
  // The same function, with a clock around it.
  client.query = watched as PoolClient['query'];
}

interface Asked {
  name: string;
  text: string;
}
