import { contract } from '../../shared/contract/index.ts';
import type { Implementer } from '../http/implement.ts';
import { selectTagUsage, tagTable } from '../queries/tags.ts';
import { tagWrites } from '../services/records.ts';

/** The calls of tags beyond those of every record (records.ts). */
export function tagsRoutes(implement: Implementer): void {
  implement.tenant(contract.tags.usage, async ({ db, params }) => {
    const [tag, usage] = await Promise.all([tagTable.get(db, params.id), selectTagUsage(db, params.id)]);
    if (!tag) throw tagWrites.gone();
    return { data: { usage } };
  });
}
