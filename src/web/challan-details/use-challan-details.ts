import { useCallback, useRef } from 'react';
import { useNavigate } from 'react-router-dom';
import type { Challan } from '../../shared/contract/challan.ts';
import { notify } from '../feedback/toast.ts';

interface DetailsOptions {
  openId: string;
  rows: readonly Challan[] | undefined;
  place: { page: number; limit: number };
  lastPage: number;
  /** The challans of another page of the same list, as it is filtered and sorted. */
  fetchPage: (page: number) => Promise<readonly Challan[]>;
  setUrl: (change: { open?: string; page?: number; limit?: number }, options?: { replace: boolean }) => void;
}

/** The details dialog in the address: opening is a step of the history, walking to the next challan is none. */
export function useChallanDetails({ openId, rows, place, lastPage, fetchPage, setUrl }: DetailsOptions) {
  const navigate = useNavigate();
  /** The page that was open here when the dialog was opened: Back closes it. */
  const openedOn = useRef<number>(undefined);
  const isStepping = useRef(false);

  const open = useCallback(
    (row: Challan) => {
      openedOn.current = place.page;
      setUrl({ open: row.id });
    },
    [place.page, setUrl],
  );
  const close = useCallback(() => {
    const isOurs = openedOn.current === place.page;
    openedOn.current = undefined;
    // Taking the step back leaves no second entry of the same list behind.
    if (isOurs) void navigate(-1);
    else setUrl({ open: '' }, { replace: true });
  }, [navigate, place.page, setUrl]);

  const index = rows?.findIndex((row) => row.id === openId) ?? -1;
  const count = rows?.length ?? 0;
  const notHere = index < 0 ? 'This challan is not on the page of the list behind' : undefined;
  const { page } = place;

  const step = (by: 1 | -1): void => {
    const row = rows?.[index + by];
    if (index < 0 || isStepping.current) return;
    if (row) {
      setUrl({ open: row.id }, { replace: true });
      return;
    }
    // Over the edge of the page: the list behind turns its page with the dialog.
    isStepping.current = true;
    fetchPage(page + by)
      .then(
        (data) => {
          const next = by === 1 ? data[0] : data.at(-1);
          if (next) setUrl({ page: page + by, limit: place.limit, open: next.id }, { replace: true });
        },
        (error: unknown) => notify.error(error, 'Failed to fetch challans'),
      )
      .finally(() => {
        isStepping.current = false;
      });
  };

  return {
    open,
    close,
    step,
    row: rows?.[index],
    position: index < 0 ? undefined : `${index + 1} of ${count} on this page`,
    previousReason: notHere ?? (index === 0 && page <= 1 ? 'This is the first challan of the list' : undefined),
    nextReason:
      notHere ?? (index === count - 1 && page >= lastPage ? 'This is the last challan of the list' : undefined),
  };
}
