/** The size of a business in the sample data. `challans` is the number of one year. */
export interface TenantSize {
  challans: number;
  owners: number;
  tags: number;
  pumps: number;
  clerks: number;
  /** How many unpaid challans one owner has: enough to fill screens and files. */
  disputed?: number;
  /** For how many of the last days all challans are unpaid: a backlog that can be paid at once. */
  unpaidDays?: number;
}

export const sizeNames = ['S', 'M', 'L', 'XL'] as const;
export type SizeName = (typeof sizeNames)[number];

/**
 * The sizes of docs/specification.md §18.3. The first business is the one to look at. In XL it has 300,000 challans, and
 * the last business has 3,000.
 */
export const sizes: Record<SizeName, readonly TenantSize[]> = {
  S: [
    { challans: 8_000, owners: 60, tags: 14, pumps: 4, clerks: 2 },
    { challans: 1_200, owners: 18, tags: 12, pumps: 3, clerks: 1 },
  ],
  M: [
    { challans: 50_000, owners: 300, tags: 20, pumps: 8, clerks: 5 },
    { challans: 6_000, owners: 50, tags: 14, pumps: 4, clerks: 2 },
    { challans: 1_500, owners: 20, tags: 12, pumps: 3, clerks: 1 },
  ],
  L: [
    { challans: 240_000, owners: 1_200, tags: 25, pumps: 12, clerks: 16 },
    { challans: 40_000, owners: 260, tags: 18, pumps: 7, clerks: 4 },
    { challans: 8_000, owners: 60, tags: 14, pumps: 4, clerks: 2 },
  ],
  XL: [
    { challans: 300_000, owners: 1_500, tags: 25, pumps: 12, clerks: 20, disputed: 6_000, unpaidDays: 160 },
    { challans: 280_000, owners: 1_400, tags: 24, pumps: 12, clerks: 18 },
    { challans: 250_000, owners: 1_300, tags: 22, pumps: 11, clerks: 16 },
    { challans: 167_000, owners: 1_000, tags: 20, pumps: 9, clerks: 12 },
    { challans: 3_000, owners: 40, tags: 14, pumps: 4, clerks: 1, unpaidDays: 160 },
  ],
};

export function isSizeName(text: string): text is SizeName {
  return sizeNames.some((name) => name === text);
}
