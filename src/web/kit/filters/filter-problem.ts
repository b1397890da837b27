import { useState } from 'react';
import type { GridStatus } from '../grid/grid-types.ts';

/**
 * A range that cannot be applied, because its end is before its start or a text cannot be read. The rows shown are still
 * those of the previous filter. They are marked as not current, and actions on the whole filter are disabled until the
 * field is corrected.
 */
export function useFilterProblem() {
  const [problem, setProblem] = useState<string>();
  return {
    problem,
    /** Pass it to the fields of the filter. */
    onProblem: setProblem,
    /** For actions that cover the whole filter. */
    disabledReason: problem === undefined ? undefined : 'Correct the dates first: the rows shown do not match them.',
    /** For the grid, which still shows the rows of the previous filter. */
    mark: (status: GridStatus): GridStatus =>
      problem === undefined
        ? status
        : { ...status, notCurrent: 'Not current: these rows do not match the dates above.' },
  };
}
