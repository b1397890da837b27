/** docs/specification.md §9.2: a UUID, versions 1 to 5. */
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Why this screen cannot be shown with this address (docs/specification.md §15.5). */
export function ownerIdProblem(ownerId: string | undefined): string | undefined {
  if (ownerId === undefined || ownerId.trim() === '') return 'Owner ID is required';
  return uuid.test(ownerId) ? undefined : 'Invalid owner ID format';
}
