import { z } from 'zod';
import { endpoint, file } from '../../../src/shared/contract/define.ts';
import { createResource } from '../../../src/web/api/create-resource.ts';
import { change } from '../../../src/web/api/optimistic.ts';
const list = endpoint('owners', {
  method: 'GET',
  path: '/owners',
  summary: '',
  roles: ['subadmin'],
  query: z.object({ page: z.number().default(1) }),
  answer: z.object({ data: z.array(z.object({ id: z.string() })) }),
});
const create = endpoint('owners', {
  method: 'POST',
  path: '/owners',
  summary: '',
  roles: ['subadmin'],
  body: z.strictObject({ name: z.string() }),
  answer: z.object({ data: z.object({ id: z.string() }) }),
  touches: ['owners'],
});
const csv = endpoint('owners', {
  method: 'GET',
  path: '/owners/{id}/csv',
  summary: '',
  roles: ['subadmin'],
  params: z.object({ id: z.string() }),
  answer: file,
});
const owners = createResource({ list, create, csv });
export function X() {
  const q = owners.useList({});
  const a: string | undefined = q.data?.data[0]?.id;
  const m = owners.useCreate({
    optimistic: (v) => [
      change(list, (d) => {
        d.data.push({ id: v.body.name });
      }),
    ],
  });
  m.mutate({ body: { name: 'x' }, idempotencyKey: 'k' });
  const c = owners.useCsv();
  c.mutate({ params: { id: 'x' } }, { onSuccess: (f) => f.blob.size });
  // @ts-expect-error no such hook
  owners.useCsvOptions;
  // @ts-expect-error name missing
  m.mutate({ body: {} });
  const k = owners.listKey();
  const o = owners.listOptions({});
  return [a, k, o.queryKey];
}
