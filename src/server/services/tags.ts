import { canDeleteTag } from '../../shared/access.ts';
import { selectTagUsage, tagTable } from '../queries/tags.ts';
import { Refusal } from '../refusal.ts';
import { recordWrites } from './records.ts';

export const tagWrites = recordWrites({
  table: tagTable,
  once: {
    field: 'name',
    index: 'tags_name',
    code: 'TAG_EXISTS',
    message: (name) => `A tag named "${name}" already exists`,
  },
  /** Refused while challans carry the tag (docs/specification.md §7.2). */
  beforeRemove: async (db, _caller, tag) => {
    const usage = await selectTagUsage(db, tag.id);
    const permission = canDeleteTag(tag, usage.totalChallans);
    if (!permission.allowed) throw new Refusal('TAG_IN_USE', permission.reason, { data: { usage } });
  },
});
