/**
 * The trade in the mineral belt of Odisha, Jharkhand and Chhattisgarh (docs/specification.md §18.3). Rates are in whole
 * rupees per tonne.
 */

/**
 * A route. The freight is between `low` and `high`. `district` is the code that transit passes of the loading place begin
 * with, and `tag` is the tag that most challans of the route have.
 */
const route = (from: string, to: string, km: number, low: number, high: number, district: string, tag: string) => ({
  from,
  to,
  km,
  freight: [low, high] as const,
  district,
  tag,
});

export type Route = ReturnType<typeof route>;

export const routes = {
  jodaParadip: route('Joda', 'Paradip Port', 315, 1450, 2100, 'KJR', 'PARADIP EXPORT'),
  barbilKalinganagar: route('Barbil', 'Kalinganagar', 140, 750, 1050, 'KJR', 'KALINGA SIDING'),
  koiraBanspani: route('Koira', 'Banspani siding', 35, 220, 320, 'SNG', 'KOIRA-BANSPANI'),
  jodaBanspani: route('Joda', 'Banspani siding', 12, 120, 180, 'KJR', 'JODA-BANSPANI'),
  daitariJakhapura: route('Daitari', 'Jakhapura', 45, 300, 420, 'JPR', 'DAITARI'),
  sukindaKalinganagar: route('Sukinda', 'Kalinganagar', 50, 330, 450, 'JPR', 'SUKINDA CHROME'),
  talcherAngul: route('Talcher', 'Angul', 30, 190, 280, 'ANG', 'COAL-ANGUL'),
  lakhanpurJharsuguda: route('Lakhanpur', 'Jharsuguda', 40, 230, 330, 'JSG', 'COAL-JHARSUGUDA'),
  kodingamaliLanjigarh: route('Kodingamali', 'Lanjigarh', 110, 650, 900, 'KPT', 'BAUXITE'),
  noamundiJamshedpur: route('Noamundi', 'Jamshedpur', 130, 650, 900, 'WSB', 'NOAMUNDI'),
  lanjibernaRajgangpur: route('Lanjiberna', 'Rajgangpur', 18, 120, 220, 'SNG', 'LIMESTONE'),
} as const;

export interface Material {
  name: string;
  share: number;
  /** The rupees per tonne that are charged for missing material. */
  rate: readonly [low: number, high: number];
  /** How many hundredths of a tonne may be missing without a charge. */
  discount: number;
  routes: readonly Route[];
}

const iron = [
  routes.jodaParadip,
  routes.jodaParadip,
  routes.jodaParadip,
  routes.barbilKalinganagar,
  routes.koiraBanspani,
  routes.jodaBanspani,
  routes.daitariJakhapura,
  routes.noamundiJamshedpur,
];

export const materials: readonly Material[] = [
  { name: 'Iron ore fines', share: 34, rate: [3500, 6500], discount: 10, routes: iron },
  {
    name: 'Iron ore lumps',
    share: 18,
    rate: [5000, 8500],
    discount: 5,
    routes: [...iron, routes.barbilKalinganagar],
  },
  {
    name: 'Coal',
    share: 20,
    rate: [2500, 5500],
    discount: 10,
    routes: [routes.talcherAngul, routes.lakhanpurJharsuguda],
  },
  { name: 'Chrome ore', share: 6, rate: [12_000, 22_000], discount: 0, routes: [routes.sukindaKalinganagar] },
  {
    name: 'Manganese ore',
    share: 4,
    rate: [8000, 14_000],
    discount: 5,
    routes: [routes.jodaBanspani, routes.koiraBanspani],
  },
  { name: 'Bauxite', share: 5, rate: [1200, 2500], discount: 10, routes: [routes.kodingamaliLanjigarh] },
  { name: 'Limestone', share: 4, rate: [600, 1200], discount: 10, routes: [routes.lanjibernaRajgangpur] },
  { name: 'Dolomite', share: 2, rate: [600, 1200], discount: 10, routes: [routes.lanjibernaRajgangpur] },
  {
    name: 'Slag',
    share: 2,
    rate: [300, 900],
    discount: 10,
    routes: [routes.sukindaKalinganagar, routes.lanjibernaRajgangpur],
  },
  { name: 'Fly ash', share: 2, rate: [300, 900], discount: 10, routes: [routes.talcherAngul] },
  {
    name: 'Sponge iron',
    share: 3,
    rate: [24_000, 30_000],
    discount: 0,
    routes: [routes.barbilKalinganagar, routes.noamundiJamshedpur],
  },
];

/** Other spellings of a place, used on one challan in twenty. */
export const placeSpellings: Readonly<Record<string, readonly string[]>> = {
  'Paradip Port': ['Paradip', 'Paradeep', 'PARADIP PORT', 'Paradeep Port'],
  Joda: ['JODA', 'Joda Mines', 'Jodā'],
  Barbil: ['BARBIL', 'Barbill'],
  Kalinganagar: ['Kalinga Nagar', 'KALINGANAGAR', 'K. Nagar'],
  'Banspani siding': ['BANSPANI', 'Banaspani Siding', 'Bansapani'],
  Koira: ['Koida', 'KOIRA'],
  Talcher: ['TALCHER', 'Talcher MCL'],
  Jamshedpur: ['JAMSHEDPUR', 'Tatanagar', 'Jamshedpur (JH)'],
};

export interface TruckKind {
  wheels: number;
  share: number;
  /** In hundredths of a tonne. */
  payload: readonly [low: number, high: number];
  types: readonly string[];
}

export const truckKinds: readonly TruckKind[] = [
  { wheels: 6, share: 2, payload: [900, 1100], types: ['Tipper'] },
  { wheels: 10, share: 18, payload: [1700, 1950], types: ['Tipper', 'Hyva'] },
  { wheels: 12, share: 26, payload: [2200, 2600], types: ['Hyva', 'Tipper'] },
  { wheels: 14, share: 24, payload: [2800, 3100], types: ['Hyva', 'Tipper', 'Bulker'] },
  { wheels: 16, share: 14, payload: [3300, 3700], types: ['Hyva', 'Trailer'] },
  { wheels: 18, share: 6, payload: [2700, 3100], types: ['Trailer', 'Bulker'] },
  { wheels: 22, share: 10, payload: [3600, 4100], types: ['Trailer'] },
];

/** The tags that belong to no route. The first ones exist in every business. */
export const furtherTags = [
  'OWN FLEET',
  'MARKET',
  'URGENT',
  'DISPUTE',
  'ADVANCE PARTY',
  'BANSPANI RAKE',
  'CONTRACT A',
  'CONTRACT B',
  'DIESEL CARD',
  'EXPRESS',
  'FINES CAMPAIGN',
  'HANDLING',
  'JODA-PARADIP',
  'LUMPS CAMPAIGN',
] as const;

/** A tag that every business has, and that is never among the first ten by name: a picker with ten rows does not show it. */
export const commonestTag = routes.jodaParadip.tag;

export const tagColours = [
  '#3B82F6',
  '#10B981',
  '#F59E0B',
  '#EF4444',
  '#8B5CF6',
  '#EC4899',
  '#14B8A6',
  '#6B7280',
] as const;

export const pumps: readonly (readonly [name: string, address: string])[] = [
  ['Maa Tarini Filling Station Joda', 'NH 520, Joda, Keonjhar, Odisha 758034'],
  ['Jagannath Service Station Banspani', 'Station Road, Banspani, Keonjhar, Odisha 758031'],
  ['Patnaik Fuels Barbil', 'Barbil–Koira Road, Barbil, Keonjhar, Odisha 758035'],
  ['Sri Ganesh Fuel Point Koira', 'Main Road, Koira, Sundargarh, Odisha 770048'],
  ['Kalinga Highway Services', 'NH 20, Jajpur Road, Jajpur, Odisha 755019'],
  ['Mahanadi Petroleum Paradip', 'Bhutmundai, Paradip, Jagatsinghpur, Odisha 754142'],
  ['New Bharat Diesels Chandikhol', 'Chandikhol Chhak, Jajpur, Odisha 755044'],
  ['Brahmani Fuels Talcher', 'Hatatota, Talcher, Angul, Odisha 759100'],
  ['Ib Valley Filling Station', 'Belpahar, Jharsuguda, Odisha 768217'],
  ['Singhbhum Auto Centre Noamundi', 'Noamundi Bazar, West Singhbhum, Jharkhand 833217'],
  ['Laxmi Fuel Station Panikoili', 'NH 16, Panikoili, Jajpur, Odisha 755043'],
  ["D'Cruz & Sons Petro, Rajgangpur", 'Rajgangpur, Sundargarh, Odisha 770017'],
];

export const remarks = [
  'Weighed at party weighbridge',
  'Late unloading, rain',
  'Tarpaulin torn, material wet',
  'Driver changed at Panikoili',
  'Advance by UPI',
  'TP photo not clear, original with driver',
  'Rake placed late; detention 1 day',
  'Unloading slip received by WhatsApp',
  'Shortage disputed by owner',
  'ଟିପି ପରେ ଦିଆଯିବ',
  'वजन दोबारा किया गया',
  'Bill with party, "hold" until confirmed',
] as const;
