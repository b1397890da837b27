import { useCallback, useEffect, useMemo, useState } from 'react';
import { countText, formatCount } from '../../../shared/calc/count-text.ts';
import { canVerifyMatches, reasonOf } from '../../../shared/access.ts';
import type { HsdMatchRow, HsdMismatchRow, HsdNotFoundRow } from '../../../shared/columns/hsd-verification-columns.ts';
import { hsdVerification } from '../../resources/hsd-verification.ts';
import {
  hsdChangedNow,
  type HsdChanged,
  type HsdReview,
  type HsdUploadResult,
} from '../../../shared/contract/hsd-verification.ts';
import { isApiError } from '../../kit/api/api-error.ts';
import { useRequestKeys } from '../../kit/api/idempotency-key.ts';
import { getLastEnd, getSession, subscribeSession } from '../../kit/api/session-store.ts';
import { notify } from '../../kit/feedback/toast.ts';
import type { AcceptedLine } from './use-acceptance.ts';

/**
 * The two default texts of docs/specification.md §15.3: one for a refusal of the server without a message, one for an
 * answer that cannot be read.
 */
const refusedText = 'Failed to perform bulk HSD verification';
const failedText = 'Failed to perform bulk verification';

export interface Outcome {
  fileName: string;
  result: HsdUploadResult;
}

export interface Verified {
  verifiedCount: number;
  skippedCount: number;
}

const noIds: ReadonlySet<string> = new Set();
const noChanges: ReadonlyMap<string, HsdChanged> = new Map();

/** The challans that changed after the file was compared with them, from `data` of the error HSD_CHANGED. */
function changesOf(error: unknown): HsdChanged[] {
  if (!isApiError(error, 'HSD_CHANGED')) return [];
  return hsdChangedNow.safeParse(error.data).data?.changed ?? [];
}

interface Results {
  outcome: Outcome | undefined;
  verifiedIds: ReadonlySet<string>;
  changes: ReadonlyMap<string, HsdChanged>;
  verified: Verified | undefined;
  /** The rows that were accepted although they differ. */
  accepted: ReadonlySet<number>;
}

const noRows: ReadonlySet<number> = new Set();
const noResults: Results = {
  outcome: undefined,
  verifiedIds: noIds,
  changes: noChanges,
  verified: undefined,
  accepted: noRows,
};

/**
 * Keeps the results of a file when the user leaves the screen or the session expires. They are kept in memory only,
 * because they name challans and amounts, which browser storage must not hold. Logout drops them.
 */
let keptResults: (Results & { account: string | undefined }) | undefined;
subscribeSession(() => {
  if (!getSession() && getLastEnd() !== 'expired') keptResults = undefined;
});

/** Holds the result of the file and which of its matches are verified by now, and sends verifications. */
export function useOutcome() {
  const [account] = useState(() => getSession()?.user.id);
  const [initial] = useState(() => (keptResults?.account === account ? (keptResults ?? noResults) : noResults));
  const [outcome, setOutcome] = useState(initial.outcome);
  const [verifiedIds, setVerifiedIds] = useState(initial.verifiedIds);
  const [changes, setChanges] = useState(initial.changes);
  const [verified, setVerified] = useState(initial.verified);
  const [accepted, setAccepted] = useState(initial.accepted);
  useEffect(() => {
    if (getSession()) keptResults = { account, outcome, verifiedIds, changes, verified, accepted };
  }, [account, outcome, verifiedIds, changes, verified, accepted]);
  /**
   * Pressing the button again after a lost answer repeats the same call, with the same idempotency key
   * (docs/specification.md §10.5).
   */
  const verifyKeys = useRequestKeys();

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
  /** The matches that Verify sends. Matches whose challan changed are left out: only a new upload can compare them. */
  const pending = useMemo(
    () => (matches ?? []).filter(({ isVerified, isChanged }) => !isVerified && !isChanged),
    [matches],
  );
  const changed = useMemo(() => [...changes.values()], [changes]);

  const replaceOutcome = useCallback(
    (next: Outcome | undefined) => {
      setOutcome(next);
      setVerifiedIds(noIds);
      setChanges(noChanges);
      setVerified(undefined);
      setAccepted(noRows);
      verifyKeys.forget();
    },
    [verifyKeys],
  );

  /** Records which challans were verified or changed in the meantime. */
  const noteReview = useCallback(({ verifiedIds: ids, changed: found }: Pick<HsdReview, 'verifiedIds' | 'changed'>) => {
    setVerifiedIds((before) => new Set([...before, ...ids]));
    setChanges((before) => new Map([...before, ...found.map((one) => [one.challanId, one] as const)]));
  }, []);

  const { mutateAsync, isPending: isVerifying } = hsdVerification.useVerify();

  /** Resolves to true if it succeeded. Success and failure are shown as a toast. */
  const verify = async (challanIds: string[]): Promise<boolean> => {
    const reason = reasonOf(canVerifyMatches(challanIds.length));
    if (reason) {
      notify.error(reason);
      return false;
    }
    try {
      const answer = await mutateAsync({ body: { challanIds }, idempotencyKey: verifyKeys.keyOf(challanIds) });
      const { data } = hsdVerification.calls.verify.answer.parse(answer);
      verifyKeys.forget();
      // Skipped challans were verified by somebody else meanwhile. Either way none of them is pending any more.
      noteReview({ verifiedIds: challanIds, changed: [] });
      setVerified(data);
      notify.success('Bulk verification completed successfully!');
      return true;
    } catch (error) {
      noteReview({ verifiedIds: [], changed: changesOf(error) });
      notify.error(isApiError(error) ? error : failedText, refusedText);
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
  const acceptKeys = useRequestKeys();
  /** Resolves to true if it succeeded. Success and failure are shown as a toast. */
  const accept = useCallback(
    async (lines: AcceptedLine[], reason: string): Promise<boolean> => {
      if (uploadId === undefined) return false;
      const body = { uploadId, rows: lines, ...(reason && { reason }) };
      try {
        const { data } = await sendAccepted({ body, idempotencyKey: acceptKeys.keyOf(body) });
        acceptKeys.forget();
        setAccepted((before) => new Set([...before, ...lines.map(({ row }) => row)]));
        const { verifiedCount, skippedCount } = data;
        const skipped = skippedCount === 0 ? '' : ` ${formatCount(skippedCount)} were verified already.`;
        notify.success(`${countText(verifiedCount, 'row')} accepted and HSD verified.${skipped}`);
        return true;
      } catch (error) {
        notify.error(isApiError(error) ? error : failedText, refusedText);
        return false;
      }
    },
    [uploadId, sendAccepted, acceptKeys],
  );

  return {
    mismatches,
    notFound,
    accept,
    outcome,
    replaceOutcome,
    matches,
    pending,
    changed,
    verified,
    verify,
    isVerifying,
    noteReview,
  };
}
