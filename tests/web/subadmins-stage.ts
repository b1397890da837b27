import { contract } from '../../src/shared/contract/index.ts';
import type { Health } from '../../src/shared/contract/health.ts';
import type { Settings } from '../../src/shared/contract/settings.ts';
import type { Subadmin } from '../../src/shared/contract/subadmins.ts';
import { failure, idOf, json, makeStage, openApp, press, type Asked, type Stage } from './challan-list-stage.tsx';
import { copiedPage, reply } from './master-data-stage.tsx';

/** Sub-admin management on a pretend network that checks every query and body against the contract. */
export const buildSubadmin = (n: number, over: Partial<Subadmin> = {}): Subadmin => ({
  id: idOf(n),
  email: `desk${n}@carriers.example`,
  bannerName: `Carriers ${String(n).padStart(3, '0')}`,
  gstNo: '21ABCDE1234F1Z5',
  contactNumber: `98765432${String(n).padStart(2, '0').slice(-2)}`,
  officeAddress: `Plot ${n}, Joda`,
  isActive: true,
  isInDirectory: true,
  role: 'subadmin',
  createdAt: '2026-11-14T05:00:00.000Z',
  updatedAt: '2026-11-20T05:30:00.000Z',
  version: 1,
  ...over,
});

export const subadminsOf = (count: number): Subadmin[] =>
  Array.from({ length: count }, (_, index) => buildSubadmin(index + 1));

export interface AdminDesk extends Stage {
  subadmins: Subadmin[];
  settings: Settings;
  health: Health;
}

function answerOf(desk: AdminDesk, { method, path, query, body }: Asked): Response {
  const endpoints = contract.subadmins;
  const row = desk.subadmins.find(({ id }) => id === path.split('/')[2]);
  if (method === 'GET') {
    const { page, limit } = endpoints.list.query.parse(query);
    const offset = (page - 1) * limit;
    const totalCount = desk.subadmins.length;
    const totalPages = Math.ceil(totalCount / limit);
    return reply(endpoints.list, {
      data: desk.subadmins.slice(offset, offset + limit),
      pagination: {
        currentPage: page,
        limit,
        totalPages,
        totalCount,
        hasNext: page < totalPages,
        hasPrevious: page > 1,
        offset,
      },
    });
  }
  if (method === 'POST') {
    const { password: _hidden, ...input } = endpoints.create.body.parse(body);
    const made = buildSubadmin(90 + desk.subadmins.length, input);
    desk.subadmins.push(made);
    return reply(endpoints.create, { data: made }, 201);
  }
  if (!row) return failure(404, 'NOT_FOUND', 'Subadmin not found');
  if (method === 'DELETE') {
    desk.subadmins = desk.subadmins.filter((item) => item !== row);
    return reply(endpoints.remove, { message: 'Subadmin deleted successfully' });
  }
  if (method === 'PATCH') {
    Object.assign(row, endpoints.setActive.body.parse(body), { version: row.version + 1 });
    return reply(endpoints.setActive, { data: row });
  }
  const { version, password: _unseen, ...input } = endpoints.update.body.parse(body);
  if (version !== undefined && version !== row.version) {
    const message = 'This subadmin was changed by someone else';
    return json({ success: false, message, code: 'VERSION_CONFLICT', data: row, requestId: 'r' }, 409);
  }
  Object.assign(row, input, { version: row.version + 1 });
  return reply(endpoints.update, { data: row });
}

export function makeAdminDesk(subadmins: Subadmin[]): AdminDesk {
  const desk: AdminDesk = Object.assign(makeStage([]), {
    subadmins,
    settings: { copiesPerDay: 100, isDirectoryOn: true, updatedAt: '2026-11-20T05:30:00.000Z', version: 1 },
    health: { check: null, backup: null, log: null },
  });
  desk.serve(/^\/admin\/health$/, () => reply(contract.health.get, { data: desk.health }));
  desk.serve(/^\/admin\/settings$/, ({ method, body }) => {
    if (method === 'GET') return reply(contract.settings.get, { data: desk.settings });
    const { version, ...wanted } = contract.settings.update.body.parse(body);
    if (version !== desk.settings.version) {
      const message = 'This page of settings was changed by someone else';
      return json({ success: false, message, code: 'VERSION_CONFLICT', data: desk.settings, requestId: 'r' }, 409);
    }
    desk.settings = { ...desk.settings, ...wanted, version: version + 1 };
    return reply(contract.settings.update, { data: desk.settings });
  });
  desk.serve(/^\/admin\/copied-owners$/, ({ query }) =>
    reply(contract.owners.listAllCopied, copiedPage(contract.owners.listAllCopied.query.parse(query), 'admin')),
  );
  desk.serve(/^\/subadmins/, (asked) => answerOf(desk, asked));
  return desk;
}

export const openAdmin = (address: string, waitFor?: string) => openApp(address, waitFor, 'admin');

const cellOf = (n: number, column: string): Element | null =>
  document.querySelector(`.ag-row[row-id="${idOf(n)}"] [col-id="${column}"]`);
/** 'true', 'false' */
export const switchOf = (n: number): string | null | undefined =>
  cellOf(n, 'active')?.querySelector('.cd-box')?.getAttribute('aria-checked');
export const isBusy = (n: number): boolean =>
  cellOf(n, 'active')?.querySelector('.cd-box')?.getAttribute('aria-busy') === 'true';

export const saveKeys = (): Promise<void> => press('{Control>}{Enter}{/Control}');
