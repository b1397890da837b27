import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { isWhole, type ListedChallan } from '../../../../shared/contract/challan.ts';
import { challans } from '../../../resources/challans.ts';
import { notify } from '../../../kit/feedback/toast.ts';

interface DetailsOptions {
  openId: string;
  rows: readonly ListedChallan[] | undefined;
  place: { page: number; limit: number };
  /** Whether a page follows the shown one. */
  hasNextPage: boolean;
  /** Loads another page of the list with the same filters and order. */
  fetchPage: (page: number) => Promise<readonly ListedChallan[]>;
  setUrl: (change: { open?: string; page?: number; limit?: number }, options?: { replace: boolean }) => void;
}

/** Keeps the details dialog in the URL. Opening pushes a history entry; stepping to the next challan replaces it. */
export function useChallanDetails({ openId, rows, place, hasNextPage, fetchPage, setUrl }: DetailsOptions) {
  const navigate = useNavigate();
  /** The page of the list when the dialog was opened here; undefined if it came with the URL. */
  const openedOn = useRef<number>(undefined);
  const isStepping = useRef(false);
  /** The challan in the dialog; '' once the dialog is closed or the screen is left. */
  const shownId = useRef(openId);
  useLayoutEffect(() => {
    shownId.current = openId;
    return () => {
      shownId.current = '';
    };
  }, [openId]);

  const open = useCallback(
    (row: ListedChallan) => {
      openedOn.current = place.page;
      setUrl({ open: row.id });
    },
    [place.page, setUrl],
  );
  const close = useCallback(() => {
    const isOurs = openedOn.current === place.page;
    openedOn.current = undefined;
    // Going back avoids a second history entry for the same list.
    if (isOurs) void navigate(-1);
    else setUrl({ open: '' }, { replace: true });
  }, [navigate, place.page, setUrl]);

  const index = rows?.findIndex((row) => row.id === openId) ?? -1;
  const count = rows?.length ?? 0;
  const notOnPageReason = index < 0 ? 'This challan is not on the current page of the list' : undefined;
  const { page } = place;
  const client = useQueryClient();
  const neighbours = index < 0 ? [] : [rows?.[index - 1], rows?.[index + 1]];
  const beside = neighbours.flatMap((row) => (row && !isWhole(row) ? [row.id] : [])).join();
  // Loaded before they are asked for, so that a step shows the fields at once.
  useEffect(() => {
    for (const id of beside.split(',').filter(Boolean))
      void client.prefetchQuery(challans.getOptions({ params: { id } }));
  }, [client, beside]);

  const step = (by: 1 | -1): void => {
    const row = rows?.[index + by];
    if (index < 0 || isStepping.current) return;
    if (row) {
      setUrl({ open: row.id }, { replace: true });
      return;
    }
    // Past the end of the page, the list below changes its page together with the dialog.
    isStepping.current = true;
    fetchPage(page + by)
      .then(
        (data) => {
          const next = by === 1 ? data[0] : data.at(-1);
          // If the dialog was closed meanwhile, it stays closed.
          if (next && shownId.current === openId)
            setUrl({ page: page + by, limit: place.limit, open: next.id }, { replace: true });
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
    row: rows?.[index],
    position: index < 0 ? undefined : `${index + 1} of ${count} on this page`,
    steps: {
      previous: {
        disabledReason:
          notOnPageReason ?? (index === 0 && page <= 1 ? 'This is the first challan of the list' : undefined),
        run: () => step(-1),
      },
      next: {
        disabledReason:
          notOnPageReason ?? (index === count - 1 && !hasNextPage ? 'This is the last challan of the list' : undefined),
        run: () => step(1),
      },
    },
  };
}
