import type { AccountRole } from '../shared/contract/define.ts';

/**
 * The account that makes the request, as its session says: the only source of identity for services, history and the
 * ledger.
 */
export interface Caller {
  readonly accountId: string;
  readonly role: AccountRole;
  readonly email: string;
  readonly bannerName: string;
  readonly sessionId: string;
  /** The screen the request came from, for the history ('' when the client does not say). */
  readonly screen: string;
  readonly requestId: string;
}
