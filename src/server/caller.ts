import type { AccountRole } from '../shared/contract/define.ts';
import type { Seat } from '../shared/contract/seats.ts';

/**
 * The account that makes the request, as its session says: the only source of identity for services, history and the
 * ledger.
 */
export interface Caller {
  /** The account of the person: who does it. */
  readonly accountId: string;
  /** The account of the business: the tenant. An admin's own account. */
  readonly businessId: string;
  readonly role: AccountRole;
  readonly seat: Seat;
  /** A second step is demanded and missing: nothing but setting it up is allowed. */
  readonly mustSetUp: boolean;
  /** An owner looks at the product as somebody with this seat, and changes nothing. */
  readonly isViewing: boolean;
  /**
   * What is paid or taken back is reviewed to be prepared, or released by a second person, so the limits of one person do not
   * count. Set by prepared-payments.service.ts alone.
   */
  readonly release?: 'review' | 'release';
  readonly email: string;
  readonly bannerName: string;
  /** '' for the login of the business itself while it has not given one. */
  readonly personName: string;
  readonly sessionId: string;
  /** The screen the request came from, for the history ('' when the client does not say). */
  readonly screen: string;
  readonly requestId: string;
}
