import { dayOf } from '../shared/calc/dates.ts';
import { dayText, instantMs } from './calendar.ts';
import { decimal } from './trip-amounts.ts';
import type { PayRun } from './pay-book.ts';
import type { SampleOwner, SamplePump, SampleTag, SampleTruck, Tenant } from './tenants.ts';
import type { Trip } from './trips.ts';

/** Writes rows as lines in the text format of PostgreSQL's COPY, in the order of the column lists. */

const absent = '\\N';

function text(value: string): string {
  return /[\\\n\r\t]/.test(value)
    ? value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t')
    : value;
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}

function line(cells: readonly string[]): string {
  return `${cells.join('\t')}\n`;
}

export const ownerColumns =
  'subadmin_id, id, name, contact_number, address, account_no, ifsc, pan_no, branch_name, created_at, updated_at';

export function ownerRow(tenant: Tenant, owner: SampleOwner): string {
  const { id, name, contactNumber, address, accountNo, ifsc, panNo, branchName } = owner;
  const at = instant(owner.createdAt);
  const cells = [name, contactNumber, address, accountNo, ifsc, panNo, branchName].map(text);
  return line([tenant.id, id, ...cells, at, at]);
}

export const truckColumns =
  'subadmin_id, id, truck_number, type_of_vehicle, no_of_wheels, owner_id, created_at, updated_at';

export function truckRow(tenant: Tenant, owner: SampleOwner, truck: SampleTruck): string {
  const at = instant(truck.createdAt);
  return line([tenant.id, truck.id, truck.number, truck.type, String(truck.kind.wheels), owner.id, at, at]);
}

export const declarationColumns =
  'subadmin_id, id, owner_id, received_on, carriages, pan_no, note, valid_until, withdrawn_on, created_at, updated_at';

export function declarationRow(tenant: Tenant, owner: SampleOwner): string {
  const { declaration } = owner;
  if (declaration === null) return '';
  const { id, receivedOn, until, withdrawnOn } = declaration;
  const at = instant(instantMs(receivedOn, 720));
  const days = [until, withdrawnOn].map((day) => (day === null ? absent : dayText(day)));
  return line([
    tenant.id,
    id,
    owner.id,
    dayText(receivedOn),
    String(Math.min(10, owner.trucks.length)),
    owner.panNo,
    withdrawnOn === null ? '' : 'Has bought more trucks',
    ...days,
    at,
    at,
  ]);
}

export const tagColumns = 'subadmin_id, id, name, color, description, created_at, updated_at';

export function tagRow(tenant: Tenant, tag: SampleTag): string {
  const at = instant(tenant.createdAt);
  return line([tenant.id, tag.id, text(tag.name), tag.color, text(tag.description), at, at]);
}

export const pumpColumns = 'subadmin_id, id, name, contact_number, address, deleted_at, created_at, updated_at';

export function pumpRow(tenant: Tenant, pump: SamplePump, hiddenAt: number | null): string {
  const at = instant(tenant.createdAt);
  const hidden = hiddenAt === null ? absent : instant(hiddenAt);
  return line([
    tenant.id,
    pump.id,
    text(pump.name),
    pump.contactNumber,
    text(pump.address),
    hidden,
    at,
    hiddenAt === null ? at : hidden,
  ]);
}

export const challanColumns = `subadmin_id, id, challan_number, owner_id, discounter_id, tag_id, petrol_pump_id, tp_no,
  vehicle_no, owner_name, owner_contact_number, material, loading_at, unloading_at, loading_place, unloading_place,
  loading_weight, unloading_weight, difference_weight, discount_weight, rate_per_mt, tds_percentage, tds_declaration_id, tds_amount,
  hsd_price_per_liter, hsd_in_liters, hsd_amount, advance_money, office_charges, shortage_amount,
  material_shortage_amount, net_amount_payable, vehicle_type, vehicle_wheel, driver_name, driving_license_no,
  data_entry_by, remarks, deposited_at, payment_status, paid_at, pay_cycle, hsd_verified, hsd_verified_at, deleted_at,
  created_at, updated_at, version`;

export function challanRow(trip: Trip): string {
  const { inputs, amounts } = trip;
  const last = trip.cycles.at(-1);
  const isPaid = last !== undefined && last.reversedAt === null;
  const changes = changesOf(trip);
  return line([
    trip.tenant.id,
    trip.id,
    trip.number,
    trip.owner.id,
    trip.discounter?.id ?? absent,
    trip.tag?.id ?? absent,
    trip.pump?.id ?? absent,
    text(trip.tpNo),
    trip.vehicleNo,
    text(trip.owner.name),
    trip.ownerContactNumber,
    trip.material,
    instant(trip.loadingAt),
    instant(trip.unloadingAt),
    trip.loadingPlace,
    trip.unloadingPlace,
    decimal(inputs.loading),
    decimal(inputs.unloading),
    decimal(amounts.difference),
    decimal(inputs.discount),
    decimal(inputs.rate),
    tenths(inputs.tdsTenths),
    inputs.tdsTenths === 0n && trip.owner.declaration ? trip.owner.declaration.id : absent,
    decimal(amounts.tds),
    decimal(inputs.hsdPrice),
    decimal(inputs.litres),
    decimal(amounts.hsd),
    decimal(inputs.advance),
    decimal(inputs.office),
    decimal(amounts.shortage),
    decimal(amounts.materialShortage),
    decimal(amounts.net),
    trip.vehicleType,
    String(trip.wheels),
    trip.driverName,
    trip.drivingLicenseNo,
    trip.dataEntryBy,
    text(trip.remarks),
    trip.depositedAt === null ? absent : instant(trip.depositedAt),
    isPaid ? 't' : 'f',
    isPaid ? instant(last.run.at) : absent,
    String(isPaid ? trip.cycles.length - 1 : trip.cycles.length),
    trip.hsdVerifiedAt === null ? 'f' : 't',
    trip.hsdVerifiedAt === null ? absent : instant(trip.hsdVerifiedAt),
    trip.deletedAt === null ? absent : instant(trip.deletedAt),
    instant(trip.createdAt),
    instant(Math.max(trip.createdAt, ...changes)),
    String(1 + changes.length),
  ]);
}

/** The times of all changes of a challan. Each change has raised its version. */
function changesOf(trip: Trip): number[] {
  const payments = trip.cycles.flatMap(({ run, reversedAt }) => [run.at, reversedAt]);
  return [trip.editedAt, trip.hsdVerifiedAt, trip.deletedAt, ...payments].filter((at) => at !== null);
}

function tenths(value: bigint): string {
  return `${value / 10n}.${value % 10n}`;
}

export const lineColumns = `subadmin_id, challan_id, pay_cycle, kind, batch_id, line_no, owner_id, amount, created_at,
  challan_number, tp_no, vehicle_no, material, loading_place, unloading_place, loading_at, unloading_at, deposited_at,
  tag_name, reason, created_by`;

/** The line of a payment in the ledger, and the line that reverses it if there is one. */
export function lineRows(trip: Trip, cycle: number, lineNo: number): string {
  const paid = trip.cycles[cycle];
  if (!paid) throw new Error('A line belongs to a pay cycle');
  const { tenant } = trip;
  const of = [paid.run.id, String(lineNo), trip.owner.id, decimal(trip.amounts.net)];
  const pay = line([
    tenant.id,
    trip.id,
    String(cycle),
    'pay',
    ...of,
    instant(paid.run.at),
    trip.number,
    text(trip.tpNo),
    trip.vehicleNo,
    trip.material,
    trip.loadingPlace,
    trip.unloadingPlace,
    instant(trip.loadingAt),
    instant(trip.unloadingAt),
    trip.depositedAt === null ? absent : instant(trip.depositedAt),
    text(trip.tag?.name ?? ''),
    '',
    tenant.id,
  ]);
  if (paid.reversedAt === null) return pay;
  const empty = ['', '', '', '', '', absent, absent, absent, ''];
  const at = instant(paid.reversedAt);
  const reason = text(paid.reason);
  return (
    pay + line([tenant.id, trip.id, String(cycle), 'reverse', ...of, at, trip.number, ...empty, reason, tenant.id])
  );
}

export const batchColumns =
  'subadmin_id, id, number, kind, created_at, paid_on, created_by, updated_count, total_amount, owner_count, applied_filters';

export function batchRow(run: PayRun, number: string): string {
  return line([
    run.tenant.id,
    run.id,
    number,
    run.kind,
    instant(run.at),
    dayOf(new Date(run.at)),
    run.tenant.id,
    String(run.count),
    decimal(run.total),
    String(run.owners.size),
    text(run.appliedFilters),
  ]);
}

export const batchOwnerColumns =
  'subadmin_id, batch_id, owner_id, name, contact_number, account_no, ifsc, branch_name, pan_no';

export function batchOwnerRow(run: PayRun, owner: SampleOwner): string {
  const { name, contactNumber, accountNo, ifsc, branchName, panNo } = owner;
  const cells = [name, contactNumber, accountNo, ifsc, branchName, panNo].map(text);
  return line([run.tenant.id, run.id, owner.id, ...cells]);
}

export const reversalColumns = 'subadmin_id, batch_id, reason, created_at, created_by, reversed_count, reversed_amount';

export function reversalRow(run: PayRun, reversal: { at: number; reason: string }): string {
  const { tenant } = run;
  const cells = [text(reversal.reason), instant(reversal.at), tenant.id, String(run.count), decimal(run.total)];
  return line([tenant.id, run.id, ...cells]);
}

export const counterColumns = 'subadmin_id, name, value';

export function counterRow(tenant: Tenant, name: string, value: number): string {
  return line([tenant.id, name, String(value)]);
}
