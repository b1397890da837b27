import { useCallback, useMemo, useRef, useState } from 'react';
import { canVerifyMatches, reasonOf } from '../../../shared/access.ts';
import type { HsdMatchRow } from '../../../shared/columns/hsd-verification-columns.ts';
import { contract } from '../../../shared/contract/index.ts';
import type { HsdUploadResult } from '../../../shared/contract/hsd-verification.ts';
import { errorText, isApiError } from '../../api/api-error.ts';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { hsdVerification } from '../../api/resources.ts';
import { notify } from '../../shell/toast.ts';

/** The two defaults of part 2 §8: a refusal of the server without a sentence, and an answer that is no result. */
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

/** What the file said, which of its matches are verified by now, and the verifying itself. */
export function useOutcome() {
  const [outcome, setOutcome] = useState<Outcome>();
  const [verifiedIds, setVerifiedIds] = useState(nothing);
  const [verified, setVerified] = useState<Verified>();
  /** Ruling 37: the same press again, after a lost answer, is the same call. */
  const attempt = useRef<{ ids: string; key: string }>(undefined);

  const matches = useMemo<HsdMatchRow[] | undefined>(
    () =>
      outcome?.result.results.validMatches.map((match) => ({ ...match, isVerified: verifiedIds.has(match.challanId) })),
    [outcome, verifiedIds],
  );
  const pending = useMemo(() => (matches ?? []).filter(({ isVerified }) => !isVerified), [matches]);

  const take = useCallback((next: Outcome | undefined) => {
    setOutcome(next);
    setVerifiedIds(nothing);
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
      notify.error(isApiError(error) ? errorText(error, refused) : failedHere);
      return false;
    }
  };

  return { outcome, take, matches, pending, verified, verify, isVerifying };
}
