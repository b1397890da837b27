const last = { bodies: 0, challans: 0 };

/** Takes running numbers, and returns the first of them. Each test file begins with 1. */
export function takeNumbers(kind: keyof typeof last, count = 1): number {
  const first = last[kind] + 1;
  last[kind] += count;
  return first;
}

export function resetNumbers(): void {
  last.bodies = 0;
  last.challans = 0;
}
