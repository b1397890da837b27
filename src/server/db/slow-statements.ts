import type { PoolClient } from 'pg';

/** A slow statement: its name, if it has one, and its text without values. */
export interface SlowStatement {
  statement: string | undefined;
  shape: string;
  ms: number;
}

export interface SlowStatementOptions {
  fromMs: number;
  say: (slow: SlowStatement) => void;
}

const maxShapeLength = 500;

/**
 * Returns the text of a statement without values. Parameters are not part of the text; values inside the text (of a
 * COPY or a setting) are replaced.
 */
export function shapeOf(text: string): string {
  return text
    .replace(/E?'(?:[^']|'')*'/g, '?')
    .replace(/(?<![\w$.])\d+(\.\d+)?/g, '?')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxShapeLength);
}

/**
 * Reports slow statements of a connection. The time is measured from sending to the answer. Streams are not measured,
 * because they last as long as their reader takes.
 */
export function reportSlowStatements(client: PoolClient, { fromMs, say }: SlowStatementOptions): void {
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const watched = (asked: unknown, ...rest: unknown[]): unknown => {
    const begun = performance.now();
    const answer = query(asked, ...rest);
    const end = (): void => {
      const ms = Math.round(performance.now() - begun);
      if (ms < fromMs) return;
      const { name, text } =
        typeof asked === 'string' ? { name: undefined, text: asked } : (asked as Partial<NamedQuery>);
      // Without the mark of the process (bound-transaction.ts).
      say({ statement: name?.split(' ')[0], shape: shapeOf(text ?? ''), ms });
    };
    if (answer instanceof Promise) answer.then(end, end);
    return answer;
  };
  // The cast is safe: the same function, with a timer around it.
  client.query = watched as PoolClient['query'];
}

interface NamedQuery {
  name: string;
  text: string;
}
