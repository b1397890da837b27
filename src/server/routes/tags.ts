import { contract } from '../../shared/contract/index.ts';
import type { Implementer } from '../http/implement.ts';
import { paginationOf } from '../queries/paging.ts';
import { listTags, selectTag, selectTagUsage } from '../queries/tags.ts';
import { notFound } from '../refusal.ts';
import { createTag, removeTag, updateTag } from '../services/tags.ts';

export function tagsRoutes(implement: Implementer): void {
  implement.tenant(contract.tags.list, async ({ db, query }) => {
    const { tags, totalCount } = await listTags(db, query);
    return { data: tags, pagination: paginationOf(query, totalCount) };
  });

  implement.tenant(contract.tags.get, async ({ db, params }) => {
    const tag = await selectTag(db, params.id);
    if (!tag) throw notFound('Tag');
    return { data: tag };
  });

  implement.tenant(contract.tags.usage, async ({ db, params }) => {
    const [tag, usage] = await Promise.all([selectTag(db, params.id), selectTagUsage(db, params.id)]);
    if (!tag) throw notFound('Tag');
    return { data: { usage } };
  });

  implement.tenant(contract.tags.create, async ({ db, caller, body }) => ({
    data: await createTag(db, caller, body),
  }));

  implement.tenant(contract.tags.update, async ({ db, caller, params, body }) => ({
    data: await updateTag(db, caller, params.id, body),
  }));

  implement.tenant(contract.tags.remove, async ({ db, caller, params }) => {
    await removeTag(db, caller, params.id);
    return { message: 'Tag deleted successfully' };
  });
}
