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
  /** As the owner of the schema, and as the role that requests work as. */
  databaseUrl: string;
  appUrl: string;
  /** Signed in as the largest and the smallest business. */
  large: Caller;
  small: Caller;
  /** As the owner of the schema: one connection for statements, one for COPY. */
  sql: Pool;
  copy: Pool;
  isQuick: boolean;
  say: (line: string) => void;
}

export type Measurement = (context: Context) => Promise<Line[]>;
