import { useCallback, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { isApiError } from '../../api/api-error.ts';
import { owners } from '../../api/resources.ts';
import { screens } from '../../screens.ts';
import { notify } from '../../feedback/toast.ts';

/**
 * 'Fetch Challans': the owner is asked for and the screen loaded before going there. An owner that is gone, a server
 * that does not answer and a screen that does not load are shown here, where another owner can be chosen
 * (docs/specification.md §9.1).
 */
export function useFetchChallans() {
  const navigate = useNavigate();
  const client = useQueryClient();
  const isUnderWay = useRef(false);
  const [goingTo, setGoingTo] = useState('');

  const fetchChallans = useCallback(
    async (ownerId: string): Promise<void> => {
      if (isUnderWay.current) return;
      isUnderWay.current = true;
      setGoingTo(ownerId);
      try {
        await Promise.all([
          screens.ownerChallans.load(),
          client.fetchQuery({ ...owners.getOptions({ params: { id: ownerId } }), staleTime: 0, retry: false }),
        ]);
        await navigate(`/accounting/owner/${ownerId}/challans`);
      } catch (error) {
        // Whatever it was, one sentence (docs/specification.md §15.3); an ended session is handled elsewhere.
        if (!isApiError(error, 'UNAUTHORIZED')) notify.error('Failed to navigate to owner challans');
        if (isApiError(error, 'NOT_FOUND')) await client.invalidateQueries({ queryKey: ['owners'] });
      } finally {
        isUnderWay.current = false;
        setGoingTo('');
      }
    },
    [client, navigate],
  );
  return { fetchChallans, goingTo };
}
