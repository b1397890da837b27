import type { Generated, GeneratedAlways, ColumnType } from 'kysely';

/**
 * The tables as Kysely sees them, by hand from the migrations. numeric and bigint arrive as strings, date as
 * 'YYYY-MM-DD', timestamptz as Date.
 */
type Money = ColumnType<string, string | undefined, string>;
type RequiredMoney = ColumnType<string, string, string>;
type Instant = ColumnType<Date, Date | string | undefined, Date | string>;
type OptionalInstant = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type Json = ColumnType<Record<string, unknown>, string, never>;

interface Account {
  id: Generated<string>;
  role: 'admin' | 'subadmin';
  email: string;
  password_hash: string;
  banner_name: Generated<string>;
  gst_no: Generated<string>;
  contact_number: Generated<string>;
  office_address: Generated<string>;
  is_active: Generated<boolean>;
  session_epoch: Generated<number>;
  deleted_at: OptionalInstant;
  created_at: Instant;
  updated_at: Instant;
  version: Generated<number>;
}

interface Session {
  id: Generated<string>;
  token_hash: Buffer;
  account_id: string;
  session_epoch: number;
  created_at: Instant;
  last_used_at: Instant;
  expires_at: Instant;
  user_agent: Generated<string>;
  address: Generated<string>;
}

interface LoginFailure {
  key: string;
  failures: number;
  last_failure_at: Instant;
  blocked_until: Instant;
}

interface AccountNetwork {
  account_id: string;
  network: string;
  last_used_at: Instant;
}

/** What every record of a tenant carries. */
interface TenantRow {
  subadmin_id: string;
  id: Generated<string>;
  deleted_at: OptionalInstant;
  created_at: Instant;
  updated_at: Instant;
  version: Generated<number>;
}

interface Owner extends TenantRow {
  name: string;
  contact_number: string;
  address: Generated<string>;
  account_no: string;
  ifsc: Generated<string>;
  pan_no: string;
  branch_name: string;
  copied_from_id: ColumnType<string | null, string | null | undefined, never>;
}

interface Truck extends TenantRow {
  truck_number: string;
  truck_key: GeneratedAlways<string>;
  type_of_vehicle: Generated<string>;
  no_of_wheels: number;
  owner_id: string;
}

interface Tag extends TenantRow {
  name: string;
  color: Generated<string>;
  description: Generated<string>;
}

interface PetrolPump extends TenantRow {
  name: string;
  contact_number: string;
  address: string;
}

interface Counter {
  subadmin_id: string;
  name: string;
  value: ColumnType<string, string | number, string | number>;
}

interface Challan extends TenantRow {
  challan_number: string;
  owner_id: string;
  discounter_id: string | null;
  tag_id: string | null;
  petrol_pump_id: string | null;
  tp_no: string;
  tp_key: GeneratedAlways<string>;
  vehicle_no: string;
  vehicle_key: GeneratedAlways<string>;
  owner_name: string;
  owner_contact_number: string;
  material: string;
  loading_at: ColumnType<Date, Date | string, Date | string>;
  loading_on: GeneratedAlways<string>;
  unloading_at: ColumnType<Date, Date | string, Date | string>;
  unloading_on: GeneratedAlways<string>;
  loading_place: string;
  unloading_place: string;
  loading_weight: RequiredMoney;
  unloading_weight: RequiredMoney;
  difference_weight: RequiredMoney;
  discount_weight: Money;
  rate_per_mt: RequiredMoney;
  tds_percentage: ColumnType<string | null, string | null | undefined, string | null>;
  tds_amount: RequiredMoney;
  hsd_price_per_liter: Money;
  hsd_in_liters: Money;
  hsd_amount: Money;
  advance_money: Money;
  office_charges: Money;
  shortage_amount: Money;
  material_shortage_amount: Money;
  net_amount_payable: RequiredMoney;
  vehicle_type: Generated<string>;
  vehicle_wheel: number | null;
  driver_name: Generated<string>;
  driving_license_no: Generated<string>;
  data_entry_by: Generated<string>;
  remarks: Generated<string>;
  deposited_at: OptionalInstant;
  deposited_on: GeneratedAlways<string | null>;
  payment_status: Generated<boolean>;
  paid_at: OptionalInstant;
  pay_cycle: Generated<number>;
  hsd_verified: Generated<boolean>;
  hsd_verified_at: OptionalInstant;
}

interface IdempotencyKey {
  subadmin_id: string;
  key: string;
  request_hash: Buffer;
  status: number | null;
  answer: string | null;
  created_at: Instant;
}

interface PaymentBatch {
  subadmin_id: string;
  id: Generated<string>;
  number: string;
  kind: 'selected' | 'filter' | 'single';
  created_at: Instant;
  created_by: string;
  updated_count: number;
  total_amount: RequiredMoney;
  owner_count: number;
  applied_filters: Json;
  screen: Generated<string>;
}

interface PaymentBatchOwner {
  subadmin_id: string;
  batch_id: string;
  owner_id: string;
  name: string;
  contact_number: string;
  account_no: string;
  ifsc: string;
  branch_name: string;
  pan_no: string;
}

interface PaymentLine {
  subadmin_id: string;
  challan_id: string;
  pay_cycle: number;
  kind: 'pay' | 'reverse';
  batch_id: string;
  line_no: number;
  owner_id: string;
  amount: RequiredMoney;
  created_at: Instant;
  challan_number: string;
  tp_no: Generated<string>;
  vehicle_no: Generated<string>;
  material: Generated<string>;
  loading_place: Generated<string>;
  unloading_place: Generated<string>;
  loading_at: OptionalInstant;
  unloading_at: OptionalInstant;
  deposited_at: OptionalInstant;
  tag_name: Generated<string>;
  reason: Generated<string>;
  created_by: string;
  screen: Generated<string>;
  recorded_at: Generated<Date>;
}

interface PaymentReversal {
  subadmin_id: string;
  batch_id: string;
  reason: string;
  created_at: Instant;
  created_by: string;
  reversed_count: number;
  reversed_amount: RequiredMoney;
}

interface History {
  subadmin_id: string;
  id: GeneratedAlways<string>;
  entity: 'subadmin' | 'owner' | 'truck' | 'tag' | 'petrol-pump' | 'challan';
  entity_id: string;
  action: string;
  at: Instant;
  actor_id: string;
  screen: Generated<string>;
  changes: Json;
}

interface HsdUpload {
  subadmin_id: string;
  id: Generated<string>;
  file_name: string;
  sha256: Buffer;
  total_records: number;
  valid_records: number;
  valid_matches: number;
  total_discrepancies: number;
  matched_ids: Generated<string[]>;
  created_at: Instant;
  created_by: string;
}

interface HsdUploadMatch {
  subadmin_id: string;
  challan_id: string;
  created_at: Instant;
  upload_id: string;
  tp_key: string;
  hsd_amount: string;
  petrol_pump_id: string;
}

interface HsdUploadVerification {
  subadmin_id: string;
  id: Generated<string>;
  upload_id: string;
  verified_count: number;
  skipped_count: number;
  created_at: Instant;
  created_by: string;
}

interface SharedReport {
  subadmin_id: string;
  id: Generated<string>;
  token_hash: Buffer;
  owner_id: string;
  file_name: string;
  content: string;
  record_count: number;
  filters: Json;
  created_at: Instant;
  created_by: string;
  expires_at: Instant;
  revoked_at: OptionalInstant;
}

/** The measures of a roll-up and of an open difference (migration 004). */
interface Measures {
  challans: string;
  net_amount: string;
  tds_amount: string;
  loading_weight: string;
  unloading_weight: string;
}

interface ChallanDelta extends Measures {
  id: GeneratedAlways<string>;
  subadmin_id: string;
  owner_id: string;
  tag_id: string;
  deposited_on: string;
  loading_on: string;
  payment_status: boolean;
  first_created_at: Date;
  last_created_at: Date;
}

interface TotalsByTag extends Measures {
  subadmin_id: string;
  tag_id: string;
  payment_status: boolean;
}

interface TotalsByDay extends TotalsByTag {
  deposited_on: string;
  first_created_at: Date;
  last_created_at: Date;
}

interface TotalsByLoadingDay extends TotalsByTag {
  loading_on: string;
  first_created_at: Date;
  last_created_at: Date;
}

interface TotalsByOwner extends TotalsByTag {
  owner_id: string;
}

interface UnpaidByOwnerDay {
  subadmin_id: string;
  owner_id: string;
  deposited_on: string;
  challans: string;
  net_amount: string;
}

export interface Database {
  accounts: Account;
  sessions: Session;
  login_failures: LoginFailure;
  account_networks: AccountNetwork;
  owners: Owner;
  trucks: Truck;
  tags: Tag;
  petrol_pumps: PetrolPump;
  counters: Counter;
  challans: Challan;
  idempotency_keys: IdempotencyKey;
  payment_batches: PaymentBatch;
  payment_batch_owners: PaymentBatchOwner;
  payment_lines: PaymentLine;
  payment_reversals: PaymentReversal;
  history: History;
  hsd_uploads: HsdUpload;
  hsd_upload_matches: HsdUploadMatch;
  hsd_upload_verifications: HsdUploadVerification;
  shared_reports: SharedReport;
  challan_deltas: ChallanDelta;
  challan_totals_by_tag: TotalsByTag;
  challan_totals_by_day: TotalsByDay;
  challan_totals_by_loading_day: TotalsByLoadingDay;
  challan_totals_by_owner: TotalsByOwner;
  challan_unpaid_by_owner_day: UnpaidByOwnerDay;
}
