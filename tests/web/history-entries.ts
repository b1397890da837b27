/** How many places this page can go back and forward to; history.length stops at fifty for all tests of a run together. */
export function historyEntries(): number {
  // Chromium's Navigation API, which TypeScript does not know yet.
  return (window as unknown as { navigation: { entries(): unknown[] } }).navigation.entries().length;
}
