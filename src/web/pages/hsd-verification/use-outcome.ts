import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { canVerifyMatches, reasonOf } from '../../../shared/access.ts';
import type { HsdMatchRow, HsdMismatchRow, HsdNotFoundRow } from '../../../shared/columns/hsd-verification-columns.ts';
import { hsdVerification } from '../../api/hsd-verification.ts';
import {
  hsdChangedNow,
  type HsdChanged,
  type HsdReview,
  type HsdUploadResult,
} from '../../../shared/contract/hsd-verification.ts';
import { isApiError } from '../../api/api-error.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { getLastEnd, getSession, subscribeSession } from '../../api/session-store.ts';
import { notify } from '../../feedback/toast.ts';
import type { AcceptedLine } from './use-acceptance.ts';

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
function changesOf(error: unknown): HsdChanged[] {
  if (!isApiError(error, 'HSD_CHANGED')) return [];
  return hsdChangedNow.safeParse(error.data).data?.changed ?? [];
}

interface Results {
  outcome: Outcome | undefined;
  verifiedIds: ReadonlySet<string>;
  changes: ReadonlyMap<string, HsdChanged>;
  verified: Verified | undefined;
  /** Rows that were accepted although they differ. */
  accepted: ReadonlySet<number>;
}

const noRows: ReadonlySet<number> = new Set();
const noResults: Results = {
  outcome: undefined,
  verifiedIds: nothing,
  changes: noChanges,
  verified: undefined,
  accepted: noRows,
};

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
  const [accepted, setAccepted] = useState(begun.accepted);
  useEffect(() => {
    if (getSession()) left = { account, outcome, verifiedIds, changes, verified, accepted };
  }, [account, outcome, verifiedIds, changes, verified, accepted]);
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
    setAccepted(noRows);
    attempt.current = undefined;
  }, []);

  /** What became of challans in the meantime. */
  const noteReview = useCallback(({ verifiedIds: ids, changed: found }: Pick<HsdReview, 'verifiedIds' | 'changed'>) => {
    setVerifiedIds((before) => new Set([...before, ...ids]));
    setChanges((before) => new Map([...before, ...found.map((one) => [one.challanId, one] as const)]));
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
      const { data } = hsdVerification.calls.verify.answer.parse(answer);
      attempt.current = undefined;
      // Skipped ones were verified by somebody else meanwhile: either way none of them is open any more.
      noteReview({ verifiedIds: challanIds, changed: [] });
      setVerified(data);
      notify.success('Bulk verification completed successfully!');
      return true;
    } catch (error) {
      noteReview({ verifiedIds: [], changed: changesOf(error) });
      notify.error(isApiError(error) ? error : failedHere, refused);
      return false;
    }
  };

  const mismatches = useMemo<HsdMismatchRow[]>(
    () =>
      (outcome?.result.results.discrepancies.amountMismatch ?? []).map((one) => ({
        ...one,
        challanAmount: changes.get(one.challanId)?.challanAmount ?? one.challanAmount,
        isAccepted: one.row !== undefined && accepted.has(one.row),
      })),
    [outcome, accepted, changes],
  );
  const notFound = useMemo<HsdNotFoundRow[]>(() => {
    const { detail, results } = outcome?.result ?? {};
    if (detail)
      return detail.notFound.map((one) => ({ ...one, id: String(one.row), isAccepted: accepted.has(one.row) }));
    const none = { near: [], nearCount: 0, isUnique: false, isAccepted: false };
    return (results?.discrepancies.tpNotFound ?? []).map((tpNo, index) => ({ ...none, id: String(index), tpNo }));
  }, [outcome, accepted]);

  const { mutateAsync: sendAccepted } = hsdVerification.useAccept();
  const uploadId = outcome?.result.detail?.uploadId;
  const attemptToAccept = useRef<{ body: string; key: string }>(undefined);
  /** true: done, and said so. */
  const accept = useCallback(
    async (lines: AcceptedLine[], reason: string): Promise<boolean> => {
      if (uploadId === undefined) return false;
      const body = { uploadId, rows: lines, ...(reason && { reason }) };
      const text = JSON.stringify(body);
      if (attemptToAccept.current?.body !== text) attemptToAccept.current = { body: text, key: newIdempotencyKey() };
      try {
        const { data } = await sendAccepted({ body, idempotencyKey: attemptToAccept.current.key });
        attemptToAccept.current = undefined;
        setAccepted((before) => new Set([...before, ...lines.map(({ row }) => row)]));
        const { verifiedCount, skippedCount } = data;
        const skipped = skippedCount === 0 ? '' : ` ${skippedCount.toLocaleString('en-IN')} were verified already.`;
        notify.success(
          `${verifiedCount.toLocaleString('en-IN')} ${verifiedCount === 1 ? 'row' : 'rows'} accepted and HSD verified.${skipped}`,
        );
        return true;
      } catch (error) {
        notify.error(isApiError(error) ? error : failedHere, refused);
        return false;
      }
    },
    [uploadId, sendAccepted],
  );

  return {
    mismatches,
    notFound,
    accept,
    outcome,
    take,
    matches,
    pending,
    changed,
    verified,
    verify,
    isVerifying,
    noteReview,
  };
}
