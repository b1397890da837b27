import type { AccountRole } from '../shared/contract/define.ts';

/** Who makes the request, from the session: the only source of identity for services, history and the ledger. */
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
