/**
 * Vehicle numbers compare without spaces, hyphens and case (docs/specification.md §3.5): 'OD 09 AB 1234' =
 * 'od-09-ab-1234'.
 */
export function vehicleKey(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

/** Shown as typed, upper-cased (docs/specification.md §3.5). */
export function displayVehicle(text: string): string {
  return text.trim().toUpperCase();
}
