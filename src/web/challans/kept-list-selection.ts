import { useEffect, useRef, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { compare, formatINR, sum } from '../../shared/calc/money.ts';
import { bankStatement } from '../api/bank-statement.ts';
import { call } from '../api/client.ts';
import { notify } from '../feedback/toast.ts';
import { tabDrafts } from '../session/account-storage.ts';
import { useKeeping } from './keeping.ts';

/** The selected challans, by id with their net amounts. */
export type ChosenAmounts = ReadonlyMap<string, string>;

const keptShape = z.array(z.tuple([z.string(), z.string().regex(/^-?\d{1,18}\.\d\d$/)])).min(1);
const keep = (chosen: ChosenAmounts): unknown => (chosen.size === 0 ? undefined : [...chosen]);

function readKept(place: string): ChosenAmounts | undefined {
  const stored = tabDrafts.read(place, (value) => keptShape.safeParse(value).data)?.value;
  return stored && new Map(stored);
}

interface Parts {
  /** Names the list: each has its own selection. */
  place: string;
  chosen: ChosenAmounts;
  onRestored: (chosen: ChosenAmounts) => void;
}

/** The selection of a list of challans, kept while one is away; the server says what of it is still there. */
export function useKeptListSelection({ place, chosen, onRestored }: Parts): void {
  const [kept, setKept] = useState(() => readKept(place));
  const check = useQuery({
    queryKey: ['kept-list-selection', place],
    queryFn: ({ signal }) =>
      call(bankStatement.calls.review, { body: { filters: {}, challanIds: [...(kept?.keys() ?? [])] } }, { signal }),
    enabled: kept !== undefined,
    gcTime: 0,
    staleTime: Infinity,
  });
  const review = check.data?.data;
  const latest = useRef({ kept, onRestored });
  useEffect(() => {
    latest.current = { kept, onRestored };
  });
  useEffect(() => {
    const { kept: before, onRestored: restore } = latest.current;
    if (!review || !before) return;
    const now = new Map(
      [...review.challans, ...review.paid].map(({ challanId, netAmountPayable }) => [challanId, netAmountPayable]),
    );
    setKept(undefined);
    restore(now);
    notify.info(restoredText(before, now));
  }, [review]);
  const { error } = check;
  useEffect(() => {
    const { kept: before } = latest.current;
    if (error && before) {
      notify.error(
        error,
        `Your earlier selection (${challansText(before)}) could not be checked. Reload to try again.`,
      );
    }
  }, [error]);

  useKeeping({ place, source: chosen, keep, isWaiting: kept !== undefined && chosen.size === 0 });
}

const challansText = (chosen: ChosenAmounts): string =>
  `${chosen.size.toLocaleString('en-IN')} ${chosen.size === 1 ? 'challan' : 'challans'}, ${formatINR(sum([...chosen.values()]))}`;

/** '2 challans, ₹1,590.00, are selected again. It was 3 challans, ₹2,386.00.' */
function restoredText(before: ChosenAmounts, now: ChosenAmounts): string {
  if (now.size === 0) return `Nothing of your selection of ${challansText(before)} is left.`;
  const again = `${challansText(now)}, ${now.size === 1 ? 'is' : 'are'} selected again.`;
  const isSame = now.size === before.size && compare(sum([...now.values()]), sum([...before.values()])) === 0;
  return isSame ? again : `${again} It was ${challansText(before)}.`;
}
