const minute = 60_000;
const units = [
  ['day', 24 * 60 * minute],
  ['hour', 60 * minute],
  ['minute', minute],
] as const;
/** For older entries the date says more than a count of days. */
const longestAgo = 31 * 24 * 60 * minute;

const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

/** The relative time: '5 minutes ago', 'yesterday'; '' if the date alone says more. `now` is in milliseconds. */
export function ago(at: string, now: number): string {
  const passed = now - Date.parse(at);
  if (passed >= longestAgo) return '';
  const unit = units.find(([, length]) => passed >= length);
  return unit ? words.format(-Math.floor(passed / unit[1]), unit[0]) : 'just now';
}
