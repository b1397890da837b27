import type { Implementer } from '../http/implement.ts';
import { sessionRoutes } from './session.ts';

/** Every route of the API. The contract test fails for an endpoint that has no handler here. */
export function registerRoutes(implement: Implementer): void {
  sessionRoutes(implement);
}
