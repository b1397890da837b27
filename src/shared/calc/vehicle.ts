/**
 * What vehicle numbers are compared by: spaces, hyphens and case make no difference (docs/specification.md §3.5), so that
 * 'OD 09 AB 1234' equals 'od-09-ab-1234'.
 */
export function vehicleKey(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

/** A vehicle number as it is stored and shown: as typed, in upper case (docs/specification.md §3.5). */
export function displayVehicle(text: string): string {
  return text.trim().toUpperCase();
}
