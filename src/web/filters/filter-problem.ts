import { useState } from 'react';
import type { GridStatus } from '../grid/grid-types.ts';

/**
 * A range of dates that cannot be applied (its end is before its start, or a text is no date). What is shown is still of the
 * filter before, so it is marked as not current, and what would act on all of it is disabled until the field is corrected.
 */
export function useFilterProblem() {
  const [problem, setProblem] = useState<string>();
  return {
    problem,
    /** For the field that finds the problem. */
    onProblem: setProblem,
    /** For the acts that cover the whole filter. */
    disabledReason: problem === undefined ? undefined : 'Correct the dates first: what is shown is not of them.',
    /** For the grid whose rows are of the filter before. */
    mark: (status: GridStatus): GridStatus =>
      problem === undefined ? status : { ...status, notCurrent: 'Not current: these rows are not of the dates above.' },
  };
}
