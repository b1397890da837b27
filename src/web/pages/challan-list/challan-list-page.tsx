import { useEffect, useState } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { forgetPlace, placeLeft } from './list-place.ts';
import { ChallanList } from './challan-list.tsx';

/** /challans (docs/specification.md §8.1). Straight back from a form, the list is where it was left. */
export function ChallanListPage() {
  const { search, key } = useLocation();
  const [place] = useState(placeLeft);
  // Only on arriving: filters that are reset here later stay reset.
  const [arrival] = useState(key);
  useEffect(forgetPlace, []);
  if (key === arrival && search === '' && place && place.search !== '') {
    return <Navigate to={{ pathname: '/challans', search: place.search }} replace />;
  }
  return <ChallanList focusRowId={place?.search === search ? place.rowId : undefined} />;
}
