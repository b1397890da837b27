import type { Pool } from 'pg';
import type { BenchData } from './data.ts';
import type { Processes } from './compare.ts';
import type { BenchServer, Caller } from './server.ts';
import type { Line } from './table.ts';

/** What each measurement works with. */
export interface Context {
  data: BenchData;
  server: BenchServer;
  processes: Processes;
  /** The URL of the schema's owner, and of the role that handles requests. */
  databaseUrl: string;
  appUrl: string;
  /** Signed in as the largest and the smallest business. */
  large: Caller;
  small: Caller;
  /** Two connections as the owner of the schema: for statements, and for COPY. */
  sql: Pool;
  copy: Pool;
  isQuick: boolean;
  say: (line: string) => void;
}

export type Measurement = (context: Context) => Promise<Line[]>;
