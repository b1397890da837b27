/** Vehicle numbers compare without spaces, hyphens and case (ruling 11): 'OD 09 AB 1234' = 'od-09-ab-1234'. */
export function vehicleKey(text: string): string {
  return text.replace(/[\s-]/g, '').toUpperCase();
}

/** Shown as typed, upper-cased (ruling 11). */
export function displayVehicle(text: string): string {
  return text.trim().toUpperCase();
}
