import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { canVerifyMatches, reasonOf } from '../../../shared/access.ts';
import type { HsdMatchRow } from '../../../shared/columns/hsd-verification-columns.ts';
import { contract } from '../../../shared/contract/index.ts';
import { hsdChangedNow, type HsdChanged, type HsdUploadResult } from '../../../shared/contract/hsd-verification.ts';
import { isApiError } from '../../api/api-error.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { hsdVerification } from '../../api/resources.ts';
import { getLastEnd, getSession, subscribeSession } from '../../api/session-store.ts';
import { notify } from '../../feedback/toast.ts';

/**
 * The two defaults of docs/specification.md §15.3: a refusal of the server without a sentence, and an answer that is no
 * result.
 */
const refused = 'Failed to perform bulk HSD verification';
const failedHere = 'Failed to perform bulk verification';

export interface Outcome {
  fileName: string;
  result: HsdUploadResult;
}

export interface Verified {
  verifiedCount: number;
  skippedCount: number;
}

const nothing: ReadonlySet<string> = new Set();
const noChanges: ReadonlyMap<string, HsdChanged> = new Map();

/** `data` of HSD_CHANGED: the challans that are not what the file was compared with. */
function changesOf(error: unknown): readonly HsdChanged[] {
  if (!isApiError(error, 'HSD_CHANGED')) return [];
  return hsdChangedNow.safeParse(error.data).data?.changed ?? [];
}

interface Results {
  outcome: Outcome | undefined;
  verifiedIds: ReadonlySet<string>;
  changes: ReadonlyMap<string, HsdChanged>;
  verified: Verified | undefined;
}

const noResults: Results = { outcome: undefined, verifiedIds: nothing, changes: noChanges, verified: undefined };

/**
 * The results of a file outlive their screen and an expired session, in memory alone: they name challans and amounts, which
 * browser storage does not keep. Logout ends them.
 */
let left: (Results & { account: string | undefined }) | undefined;
subscribeSession(() => {
  if (!getSession() && getLastEnd() !== 'expired') left = undefined;
});

/** What the file said, which of its matches are verified by now, and the verifying itself. */
export function useOutcome() {
  const [account] = useState(() => getSession()?.user.id);
  const [begun] = useState(() => (left?.account === account ? (left ?? noResults) : noResults));
  const [outcome, setOutcome] = useState(begun.outcome);
  const [verifiedIds, setVerifiedIds] = useState(begun.verifiedIds);
  const [changes, setChanges] = useState(begun.changes);
  const [verified, setVerified] = useState(begun.verified);
  useEffect(() => {
    if (getSession()) left = { account, outcome, verifiedIds, changes, verified };
  }, [account, outcome, verifiedIds, changes, verified]);
  /** docs/specification.md §10.5: the same press again, after a lost answer, is the same call. */
  const attempt = useRef<{ ids: string; key: string }>(undefined);

  const matches = useMemo<HsdMatchRow[] | undefined>(
    () =>
      outcome?.result.results.validMatches.map((match) => ({
        ...match,
        challanAmount: changes.get(match.challanId)?.challanAmount ?? match.challanAmount,
        isVerified: verifiedIds.has(match.challanId),
        isChanged: changes.has(match.challanId),
      })),
    [outcome, verifiedIds, changes],
  );
  /** What Verify would take: not what changed since, which only a new upload can compare. */
  const pending = useMemo(
    () => (matches ?? []).filter(({ isVerified, isChanged }) => !isVerified && !isChanged),
    [matches],
  );
  const changed = useMemo(() => [...changes.values()], [changes]);

  const take = useCallback((next: Outcome | undefined) => {
    setOutcome(next);
    setVerifiedIds(nothing);
    setChanges(noChanges);
    setVerified(undefined);
    attempt.current = undefined;
  }, []);

  const { mutateAsync, isPending: isVerifying } = hsdVerification.useVerify();

  /** true: done, and said so. */
  const verify = async (challanIds: string[]): Promise<boolean> => {
    const reason = reasonOf(canVerifyMatches(challanIds.length));
    if (reason) {
      notify.error(reason);
      return false;
    }
    const ids = challanIds.join();
    if (attempt.current?.ids !== ids) attempt.current = { ids, key: newIdempotencyKey() };
    try {
      const answer = await mutateAsync({ body: { challanIds }, idempotencyKey: attempt.current.key });
      const { data } = contract.hsdVerification.verify.answer.parse(answer);
      attempt.current = undefined;
      // Skipped ones were verified by somebody else meanwhile: either way none of them is open any more.
      setVerifiedIds((before) => new Set([...before, ...challanIds]));
      setVerified(data);
      notify.success('Bulk verification completed successfully!');
      return true;
    } catch (error) {
      const found = changesOf(error);
      if (found.length > 0)
        setChanges((before) => new Map([...before, ...found.map((one) => [one.challanId, one] as const)]));
      notify.error(isApiError(error) ? error : failedHere, refused);
      return false;
    }
  };

  return { outcome, take, matches, pending, changed, verified, verify, isVerifying };
}
