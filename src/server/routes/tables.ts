import { contract } from '../../shared/contract/index.ts';
import type { Implementer } from '../http/implement.ts';
import { readTableFile } from '../services/tables.ts';

export function tablesRoutes(implement: Implementer): void {
  implement.upload(contract.tables.read, readTableFile, async ({ file }) => ({ data: file }));
}
