import { dayOf } from '../../../shared/calc/dates.ts';
import { contract } from '../../../shared/contract/index.ts';
import type { Implementer } from '../../http/implement.ts';
import { selectPalette } from './palette.queries.ts';

export function paletteRoutes(implement: Implementer): void {
  implement.data(contract.palette.search, ({ db, query }) => selectPalette(db, query.search, dayOf(new Date())));
}
