import { Link } from 'react-router-dom';
import type { ListedChallan } from '../../../../shared/contract/challan.ts';
import { fromElsewhere } from '../../../kit/filters/url-state.ts';
import type { CellSpec } from '../../../kit/grid/grid-types.ts';

/**
 * The cell of Payment No links to the payment with its trips. Enter follows the link; Back and Escape return to the list.
 * `onLeave` is called before the link is followed.
 */
export const paymentCell = (onLeave?: (row: ListedChallan) => void): CellSpec<ListedChallan> => ({
  render: (row) =>
    row.payment && (
      <Link
        to={`/accounting/payments?open=${row.payment.id}`}
        state={fromElsewhere}
        tabIndex={-1}
        className="truncate underline underline-offset-2"
        onClick={() => onLeave?.(row)}
      >
        {row.payment.name}
      </Link>
    ),
  text: ({ payment }) => payment?.name ?? '',
});
