import type { CallArguments, Endpoint } from '../../src/shared/contract/define.ts';
import { contract, type Contract } from '../../src/shared/contract/index.ts';
import { median } from './compare.ts';
import type { Context } from './context.ts';
import { usualFields } from './rates.ts';
import type { Caller } from './server.ts';
import { ms, times, type Line } from './table.ts';
import { cpuNs, databaseCpuNs } from './usage.ts';

interface Refs {
  ownerId: string;
  ownerName: string;
  truckId: string;
  tagId: string;
  petrolPumpId: string;
  challanId: string;
  challanNumber: string;
  tpNo: string;
  vehicleNo: string;
  batchId: string;
  number: string;
  actorId: string;
}

/** The GETs of the contract that answer JSON. This file does not compile until a call that is added there is added here. */
type Reads<R> = {
  [
    V in keyof R as R[V] extends { method: 'GET'; answer: { kind: string } }
      ? never
      : R[V] extends { method: 'GET' }
        ? V
        : never
  ]: R[V] extends Endpoint ? ((refs: Refs) => CallArguments<R[V]>) | Growing<CallArguments<R[V]>> | Unmeasured : never;
};
/** Why a call is not measured. */
type Unmeasured = string;
/** A call that reads more in a larger business, so that it may take as many times longer there. */
interface Growing<A> {
  ask: (refs: Refs) => A;
  /** What it reads more of. */
  of: string;
  /** How to count these in SQL; $1 is the business. By default the bytes of the answer are counted. */
  count?: (refs: Refs) => string;
}
const isOfAdmin = 'a call of the admin, who has no challans';
const isNotThere = 'the sample data has none';

const nothing = () => ({});
const month = { startDate: '2026-05-01', endDate: '2026-05-31' };

/** Both TDS lists have the totals of their period, for which its challans are counted. */
const ofTaxSums = {
  of: 'challans of the period',
  count: () => `challans WHERE subadmin_id = $1 AND deleted_at IS NULL AND paid_on >= '2026-04-01'`,
};

/** What is usual comes from the challans of half a year. */
const ofUsualDays = {
  ask: nothing,
  of: 'challans of the last 210 days',
  count: () => `challans WHERE subadmin_id = $1 AND deleted_at IS NULL AND loading_on > now()::date - 210`,
};

const reads: {
  [R in keyof Contract as Reads<Contract[R]> extends Record<string, never> ? never : R]: Reads<Contract[R]>;
} = {
  session: { list: nothing, signIns: isOfAdmin },
  subadmins: { list: isOfAdmin },
  profile: { get: nothing },
  people: { list: nothing, listNames: nothing },
  secondStep: { get: nothing },
  owners: {
    list: nothing,
    get: ({ ownerId }) => ({ params: { id: ownerId } }),
    search: {
      ask: ({ ownerName }) => ({ query: { q: ownerName.slice(0, 4) } }),
      of: 'bytes: the owners that match, with their trucks',
    },
    usage: ({ ownerId }) => ({ params: { id: ownerId } }),
    listAllSystem: nothing,
    getCopiedByOthers: nothing,
    listCopied: nothing,
    listAllCopied: isOfAdmin,
  },
  trucks: {
    list: nothing,
    search: ({ vehicleNo }) => ({ query: { q: vehicleNo.slice(-4) } }),
    lookUp: ({ vehicleNo }) => ({ params: { vehicleNumber: vehicleNo } }),
  },
  tags: {
    list: nothing,
    get: ({ tagId }) => ({ params: { id: tagId } }),
    usage: ({ tagId }) => ({ params: { id: tagId } }),
  },
  petrolPumps: { list: nothing, get: ({ petrolPumpId }) => ({ params: { id: petrolPumpId } }) },
  challans: {
    list: () => ({ query: { limit: 50 } }),
    listFields: () => ({ query: { limit: 50, fields: usualFields } }),
    listRows: () => ({ query: { limit: 50, totals: 'later' } }),
    getSums: nothing,
    get: ({ challanId }) => ({ params: { id: challanId } }),
    findByNumber: ({ challanNumber }) => ({ query: { q: challanNumber } }),
    findDuplicates: ({ tpNo, vehicleNo }) => ({ query: { tpNo, vehicleNo, loadingDate: '2026-05-12' } }),
    findLastRate: () => ({ query: { loadingPlace: 'Talcher', unloadingPlace: 'Paradip' } }),
  },
  challanGroups: { list: () => ({ query: { limit: 50, groupBy: 'owner,month' } }) },
  bankStatement: {
    list: { ask: () => ({ query: { limit: 20 } }), of: 'bytes: all that is unpaid of 20 owners' },
    listOwners: { ask: () => ({ query: { limit: 20 } }), of: 'bytes: the same without what is only shown of it' },
  },
  paymentBatches: {
    list: nothing,
    findByNumber: ({ number }) => ({ query: { q: number } }),
    get: ({ batchId }) => ({ params: { id: batchId } }),
    owners: {
      ask: ({ batchId }) => ({ params: { id: batchId } }),
      of: 'bytes: the challans of ten owners of a payment',
    },
    listMessages: ({ batchId }) => ({ params: { id: batchId } }),
  },
  waiting: { get: nothing },
  preparedPayments: { list: nothing, owners: isNotThere, listAccounts: nothing, getRule: nothing },
  bankAccounts: { list: nothing, get: isNotThere },
  tdsDeposits: { list: nothing, get: isNotThere },
  declarations: { list: nothing, get: isNotThere, ofOwner: isNotThere },
  bankLayouts: { list: nothing },
  bankFiles: { list: nothing, get: isNotThere },
  bankAnswers: { listLines: nothing, proposals: isNotThere, listStatementLines: isNotThere, list: nothing },
  batches: { list: nothing, get: isNotThere },
  hsdVerification: {
    listUploads: nothing,
    listUploadRows: isNotThere,
    getPumpSettings: ({ petrolPumpId }) => ({ params: { id: petrolPumpId } }),
    listLedger: nothing,
  },
  accounting: {
    listOwners: {
      ask: nothing,
      of: 'owners added up',
      count: () => 'owners WHERE subadmin_id = $1 AND deleted_at IS NULL',
    },
    listOwnerPayments: { ask: ({ ownerId }) => ({ query: { ownerId } }), of: 'bytes: the trips of ten payments' },
    listOwnerChallans: ({ ownerId }) => ({ query: { ownerId } }),
    getOwnerSummary: ({ ownerId }) => ({ query: { ownerId } }),
    getTagAnalytics: () => ({ query: month }),
  },
  ownerStatements: {
    current: {
      ask: ({ ownerId }) => ({ query: { ownerId, ...month } }),
      of: 'challans of the owner, recounted (docs/decisions.md 78)',
      count: ({ ownerId }) => `challans WHERE subadmin_id = $1 AND owner_id = '${ownerId}' AND deleted_at IS NULL`,
    },
    list: ({ ownerId }) => ({ query: { ownerId } }),
    get: isNotThere,
    listOpenings: ({ ownerId }) => ({ params: { id: ownerId } }),
  },
  exceptions: { list: ofUsualDays, getSummary: ofUsualDays },
  monthPacks: { checks: () => ({ query: { month: '2026-04' } }), list: nothing },
  periodLock: { get: nothing, listActs: nothing, listChanges: nothing },
  tds: {
    list: { ask: nothing, ...ofTaxSums },
    listDeductions: { ask: nothing, ...ofTaxSums },
    listMonths: { ask: nothing, ...ofTaxSums },
    getSettings: nothing,
  },
  tally: {
    getSettings: nothing,
    list: nothing,
    listChanged: nothing,
  },
  dashboard: {
    listWeeks: () => ({ query: month }),
    listOwnerAgeing: {
      ask: nothing,
      of: 'owners and days added up',
      count: () => `challan_unpaid_by_owner_day WHERE subadmin_id = $1
        AND (deposited_on >= current_date - 45 OR deposited_on = '-infinity')`,
    },
  },
  today: {
    get: {
      ask: nothing,
      of: 'challans of this month and the last one',
      count: () => `challans WHERE subadmin_id = $1 AND deleted_at IS NULL
        AND deposited_on >= date_trunc('month', current_date) - interval '1 month'`,
    },
  },
  sharedReports: { list: nothing },
  history: {
    listOwner: ({ ownerId }) => ({ params: { id: ownerId } }),
    listTruck: ({ truckId }) => ({ params: { id: truckId } }),
    listTag: ({ tagId }) => ({ params: { id: tagId } }),
    listPetrolPump: ({ petrolPumpId }) => ({ params: { id: petrolPumpId } }),
    listChallan: ({ challanId }) => ({ params: { id: challanId } }),
    listBankAccount: isNotThere,
    listDeclaration: isNotThere,
    listTdsDeposit: isNotThere,
    listProfile: nothing,
    listSubadmin: isOfAdmin,
  },
  activity: { list: nothing, listEntries: ({ actorId }) => ({ query: { personId: actorId, day: '2026-11-20' } }) },
  health: { get: isOfAdmin },
  settings: { get: isOfAdmin },
  preferences: { list: nothing },
  palette: { search: ({ tpNo }) => ({ query: { search: tpNo } }) },
};

const targetMs = 100;
const targetGrowth = 1.5;
/** A call is not repeated after this time. */
const mostMs = 3_000;

/** Every read of the contract in the largest and in the smallest business, to see which calls get slower with the size. */
export async function measureGrowth({ data, large, small, sql, processes, isQuick }: Context): Promise<Line[]> {
  const refsOf = async (tenantId: string): Promise<Refs> => {
    const { rows } = await sql.query<Refs>(
      `SELECT c.owner_id AS "ownerId", c.owner_name AS "ownerName", c.id AS "challanId", c.tag_id AS "tagId",
         c.challan_number AS "challanNumber", c.tp_no AS "tpNo", c.vehicle_no AS "vehicleNo",
         c.petrol_pump_id AS "petrolPumpId", b.id AS "batchId", b.number, b.created_by AS "actorId",
         (SELECT id FROM trucks WHERE subadmin_id = $1 AND deleted_at IS NULL ORDER BY id LIMIT 1) AS "truckId"
       FROM challans AS c
         JOIN payment_lines AS l ON l.subadmin_id = $1 AND l.challan_id = c.id
         JOIN payment_batches AS b ON b.subadmin_id = $1 AND b.id = l.batch_id
       WHERE c.subadmin_id = $1 AND c.deleted_at IS NULL AND c.tag_id IS NOT NULL AND c.petrol_pump_id IS NOT NULL
       ORDER BY c.created_at DESC LIMIT 1`,
      [tenantId],
    );
    const [refs] = rows;
    if (!refs) throw new Error('Every business has a paid challan with a tag and a pump');
    return refs;
  };
  const [ofLarge, ofSmall] = [await refsOf(data.large.id), await refsOf(data.small.id)];
  const lines: Line[] = [];
  for (const [resource, calls] of Object.entries(reads)) {
    for (const [verb, call] of Object.entries(calls) as [string, Call][]) {
      const what = `GET ${resource}.${verb}`;
      if (typeof call === 'string') {
        lines.push({ what, measured: 'not measured', note: call });
        continue;
      }
      const growing = typeof call === 'function' ? undefined : call;
      const argumentsOf = typeof call === 'function' ? call : call.ask;
      const endpoint = (contract as Record<string, Record<string, Endpoint>>)[resource]?.[verb];
      if (!endpoint) throw new Error(`${what} is in the contract`);
      const [atLarge, atSmall]: [number[], number[]] = [[], []];
      const [toLarge, toSmall] = [pathOf(endpoint, argumentsOf(ofLarge)), pathOf(endpoint, argumentsOf(ofSmall))];
      let [bytes, smallBytes] = [0, 0];
      let cpu = 0;
      const until = performance.now() + mostMs;
      for (let round = -3; round < (isQuick ? 9 : 21) && (round < 3 || performance.now() < until); round += 1) {
        const other = await timed(small, toSmall);
        const before = cpuNs(processes.server) + databaseCpuNs(processes.postmaster);
        const one = await timed(large, toLarge);
        // The first rounds only warm up.
        if (round < 0) continue;
        atLarge.push(one.took);
        atSmall.push(other.took);
        [bytes, smallBytes] = [one.bytes, other.bytes];
        cpu += (cpuNs(processes.server) + databaseCpuNs(processes.postmaster) - before) / 1e6;
      }
      const [p50, growth] = [median(atLarge), median(atLarge) / median(atSmall)];
      const { count } = growing ?? {};
      const countOf = async (tenantId: string, refs: Refs, inAnswer: number): Promise<number> => {
        if (!count) return inAnswer;
        const { rows } = await sql.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${count(refs)}`, [tenantId]);
        return rows[0]?.n ?? 0;
      };
      const [many, few] = growing
        ? [await countOf(data.large.id, ofLarge, bytes), await countOf(data.small.id, ofSmall, smallBytes)]
        : [1, 1];
      const most = Math.max(targetGrowth, many / few);
      lines.push({
        what,
        measured: ms(p50),
        ratio: times(growth),
        target: `≤ ${targetMs} ms, ≤ ${most.toFixed(1)} ×`,
        isMet: p50 <= targetMs && growth <= most,
        note:
          `CPU ${ms(cpu / atLarge.length)}; small ${ms(median(atSmall))}; ${Math.ceil(bytes / 1000)} kB` +
          (growing ? `; ${many.toLocaleString('en-IN')} and ${few.toLocaleString('en-IN')} ${growing.of}` : ''),
      });
    }
  }
  return lines;
}

type Call = ((refs: Refs) => Arguments) | Growing<Arguments> | Unmeasured;
interface Arguments {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
}

function pathOf({ path }: Endpoint, { params = {}, query = {} }: Arguments): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return `/api${filled}${asked && `?${asked}`}`;
}

async function timed(caller: Caller, path: string): Promise<{ took: number; bytes: number }> {
  const begun = performance.now();
  const { status, text } = await caller.send('GET', path);
  if (status !== 200) throw new Error(`${path}: ${status}`);
  return { took: performance.now() - begun, bytes: text.length };
}
