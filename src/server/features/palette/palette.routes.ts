import { dayOf } from '../../../shared/calc/dates.ts';
import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { selectPalette } from './palette.queries.ts';

export function paletteRoutes(implement: Implementer): void {
  implement.tenant(contract.palette.search, async ({ db, query }) => ({
    data: await selectPalette(db, query.search, dayOf(new Date())),
  }));
}
