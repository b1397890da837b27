/** The first match wins: browsers also name others (Edge says Chrome and Safari too). */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\b(Headless)?Chrome\/|\bCriOS\/|\bChromium\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

const nameOf = (known: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  known.find(([pattern]) => pattern.test(text))?.[1];

/**
 * A short description of a User-Agent header: 'Chrome on Windows'. A program that is not a browser keeps its own name
 * ('curl').
 */
export function describeUserAgent(header: string): string {
  const browser = nameOf(browsers, header) ?? /^[A-Za-z][A-Za-z0-9._-]{0,39}/.exec(header)?.[0];
  const system = nameOf(systems, header);
  // Every browser begins with Mozilla, so that word means nothing.
  if (browser === undefined || browser === 'Mozilla') return system ? `Unknown browser on ${system}` : 'Unknown device';
  return system ? `${browser} on ${system}` : browser;
}
