import { useCallback, useMemo, useState } from 'react';
import { CheckCheck, Eye, Undo2 } from 'lucide-react';
import { Link, useNavigate } from 'react-router-dom';
import { exceptionColumns } from '../../../shared/columns/exception-columns.ts';
import {
  exceptionSorts,
  mostFineAtOnce,
  type Exception,
  type RouteShortage,
  exceptions as contract,
} from '../../../shared/contract/exceptions.ts';
import { exceptionFilters, exceptionKinds } from '../../../shared/filters/exception-kinds.ts';
import type { FilterTexts } from '../../../shared/filters/filter-texts.ts';
import { call } from '../../kit/api/client.ts';
import { refusalOf } from '../../kit/api/seat.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { filterShape } from '../../kit/filters/filter-values.ts';
import { addressOf, useUrlState } from '../../kit/filters/url-state.ts';
import { useRowSelection } from '../../kit/grid/row-selection.ts';
import { SelectionFooter } from '../../kit/grid/selection-footer.tsx';
import { recordShape, type ListQuery } from '../../kit/records/record-place.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { exceptions } from '../../resources/exceptions.ts';
import { useTableFiles } from '../../kit/feedback/table-files.tsx';
import { screens } from '../../screens.ts';
import { listFilters } from '../filters/index.ts';
import { clsx } from 'clsx';
import { challansText, countText } from '../../../shared/calc/count-text.ts';
import { plotLength } from '../../../shared/calc/dashboard.ts';
import { formatINR } from '../../../shared/calc/money.ts';
import { ConfirmButton } from '../../kit/actions/confirm-button.tsx';
import { useReasonField } from '../../kit/forms/use-reason.ts';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { TextArea } from '../../kit/ui/text-field.tsx';

const queryOf = ({ filters, sortBy, sortOrder }: Pick<ListQuery, 'filters' | 'sortBy' | 'sortOrder'>) => ({
  // Safe: the address was parsed with the same filters.
  ...(filters as Partial<FilterTexts<typeof exceptionFilters>>),
  sortBy: exceptionSorts.find((key) => key === sortBy) ?? ('effect' as const),
  sortOrder,
});
const useExceptions = (ask: ListQuery) =>
  exceptions.useList({ query: { page: ask.page, limit: ask.limit, ...queryOf(ask) } });

/** Where Enter leads: to the challan, or to those of whom it is about. */
function pathOf({ kind, challanId, subject, vehicleNo }: Exception): string {
  const { path } = screens.challans;
  if (challanId !== null) return `${path}?open=${challanId}`;
  const { about } = exceptionKinds[kind];
  const name = about === 'driver' ? 'driverIs' : about === 'owner' ? 'ownerId' : 'vehicleIs';
  const value = about === 'driver' || about === 'owner' ? subject : (vehicleNo ?? subject);
  return addressOf(path, { [name]: value });
}

const fileCalls = { xlsx: exceptions.calls.exportXlsx, csv: exceptions.calls.exportCsv };

/** Says that so many cannot be remembered or taken back at once. */
function isTooMany(count: number): boolean {
  if (count > mostFineAtOnce) notify.info(`At most ${mostFineAtOnce} exceptions at once. Clear some of the selection.`);
  return count > mostFineAtOnce;
}

const selectionOptions = {
  keyOf: ({ id }: Exception): string => id,
  labelOf: (row: Exception): string => `Select ${namedException(row)}`,
};
const urlShape = { route: filterShape(exceptionFilters).route, page: recordShape.page };

/** /exceptions: what is unusual, with its effect in rupees (docs/specification.md §35). */
export const ExceptionsPage = recordScreen<Exception>({
  screen: 'exceptions',
  noun: ['exception', 'exceptions'],
  columns: exceptionColumns,
  filters: listFilters(exceptionFilters),
  sorts: { keys: exceptionSorts, by: 'effect', order: 'desc' },
  useRows: (ask) => {
    const list = useExceptions(ask);
    return { ...pageOf(list), totals: list.data && { ...list.data.totals } };
  },
  failed: { list: 'Failed to fetch the exceptions' },
  empty: {
    title: 'Nothing unusual',
    text: 'Challans of these days are as those of the last half year. Something is usual from 8 trips of a route on.',
    actions: <Link to={screens.challans.path}>Open Challans</Link>,
  },
  useMore: ({ ask, rows, grid }) => {
    const list = useExceptions(ask);
    const navigate = useNavigate();
    const [{ route }, setUrl] = useUrlState(urlShape);
    const choose = (chosen: string): void => setUrl({ route: chosen, page: 1 });
    const [asked, setAsked] = useState<readonly Exception[]>();
    const { ids, selection, clear, selected, offPageCount } = useRowSelection(rows, selectionOptions);
    const { mutateAsync: takeBack } = exceptions.useTakeBack();
    const orSelected = useCallback(
      (act: (of: readonly Exception[]) => void) => (row: Exception) => {
        const all = selected();
        act(all.length > 0 ? all : [row]);
      },
      [selected],
    );
    const back = useCallback(
      async (of: readonly Exception[]): Promise<void> => {
        const fineIds = [...new Set(of.flatMap(({ fine }) => fine?.id ?? []))];
        if (fineIds.length === 0) {
          notify.info('None of these is remembered as fine');
          return;
        }
        if (isTooMany(fineIds.length)) return;
        try {
          await takeBack({ body: { ids: fineIds } });
          notify.success('No longer remembered as fine');
          clear();
        } catch (error) {
          notify.error(error, 'Failed to take it back');
        }
      },
      [takeBack, clear],
    );
    const open = useCallback((row: Exception) => void navigate(pathOf(row)), [navigate]);
    const fine = useCallback((of: readonly Exception[]) => {
      const open = of.filter((row) => row.fine === null);
      if (open.length === 0) notify.info('They are remembered as fine already');
      else if (!isTooMany(open.length)) setAsked(open);
    }, []);
    const rowCommands = useMemo(
      () => [
        {
          id: 'open',
          title: 'Open the challan of an exception',
          label: 'Open',
          icon: <Eye size={15} aria-hidden />,
          keys: 'Enter',
          run: open,
        },
        {
          id: 'fine',
          title: 'Remember an exception as fine',
          label: 'Fine, Because …',
          icon: <CheckCheck size={15} aria-hidden />,
          keys: 'F',
          calls: exceptions.calls.setFine,
          run: (row: Exception) => fine([row]),
          byKey: orSelected(fine),
          disabledReason: (row: Exception) => (row.fine === null ? undefined : 'It is remembered as fine already'),
        },
        {
          id: 'take-back',
          title: 'No longer remember an exception as fine',
          label: 'Not Fine',
          icon: <Undo2 size={15} aria-hidden />,
          keys: 'U',
          calls: exceptions.calls.takeBack,
          run: (row: Exception) => void back([row]),
          byKey: orSelected((of) => void back(of)),
          disabledReason: (row: Exception) => (row.fine === null ? 'It is not remembered as fine' : undefined),
        },
      ],
      [open, fine, back, orSelected],
    );
    const files = useTableFiles({
      scope: screens.exceptions.name,
      id: 'exceptions',
      get: (format, options) => call(fileCalls[format], { query: queryOf(ask) }, options),
      total: list.data?.pagination.totalCount,
      fallbackName: 'exceptions',
    });
    return {
      rowCommands,
      onOpen: open,
      ownFile: 'list',
      selection,
      isMuted: (row) => row.fine !== null,
      footer: ids.size > 0 && (
        <SelectionFooter count={ids.size} offPageCount={offPageCount} onClear={clear}>
          <Button
            size="sm"
            variant="primary"
            keys="F"
            icon={<CheckCheck size={14} aria-hidden />}
            disabledReason={refusalOf(exceptions.calls.setFine)}
            onClick={() => fine(selected())}
          >
            Fine, Because …
          </Button>
        </SelectionFooter>
      ),
      aside: (
        <>
          {route !== '' && (
            <span className="text-sm">
              Only {route} ·{' '}
              <Button size="sm" variant="ghost" onClick={() => choose('')}>
                All Routes
              </Button>
            </span>
          )}
          {files.status}
        </>
      ),
      above: list.data && <RoutePlot routes={list.data.routes} chosen={route} onChoose={choose} />,
      buttons: files.buttons,
      dialogs: asked && asked.length > 0 && (
        <FineDialog
          rows={asked}
          onClose={(isDone) => {
            setAsked(undefined);
            if (!isDone) return;
            clear();
            grid.handle.current?.focusFirstRow();
          }}
        />
      ),
    };
  },
});

interface RoutePlotProps {
  routes: readonly RouteShortage[];
  /** The route that the list has, in any case; '' for all. */
  chosen: string;
  onChoose: (route: string) => void;
}

/** The shortage of the days in rupees by route, the largest first. A bar filters the list, and once more shows all again. */
function RoutePlot({ routes, chosen, onChoose }: RoutePlotProps) {
  if (routes.length === 0) return null;
  const longest = Math.max(...routes.map(({ amount }) => plotLength(amount)), 0.01);
  return (
    <section aria-labelledby="route-plot" className="rounded-md border border-line bg-surface px-3 py-2">
      <h2 id="route-plot" className="text-xs font-semibold text-muted">
        Shortage by route
      </h2>
      <ul className="grid grid-flow-col grid-rows-5 gap-x-6">
        {routes.map(({ route, amount, challanCount }) => {
          const isChosen = route.toLowerCase() === chosen.toLowerCase();
          const text = `${formatINR(amount)} in ${challansText(challanCount)}`;
          return (
            <li key={route} className="min-w-0">
              <button
                type="button"
                aria-pressed={isChosen}
                title={`${route}: ${text}`}
                className="flex h-6 w-full items-center gap-2 rounded-sm px-1 text-left text-sm hover:bg-hover"
                onClick={() => onChoose(isChosen ? '' : route)}
              >
                <span className={clsx('w-2/5 shrink-0 truncate', isChosen && 'font-semibold')}>{route}</span>
                <span aria-hidden className="min-w-0 flex-1">
                  <span
                    className={clsx('block h-3 rounded-sm', chosen === '' || isChosen ? 'bg-primary' : 'bg-primary/50')}
                    style={{ width: `${(plotLength(amount) / longest) * 100}%` }}
                  />
                </span>
                <span className="nums w-28 shrink-0 text-right">{formatINR(amount)}</span>
                <span className="sr-only">, {challansText(challanCount)}</span>
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** What one exception is about: 'Rate of CH-2627-000123'. */
const namedException = ({ kind, challanNumber, driverName, vehicleNo, ownerName }: Exception): string => {
  const { name, about } = exceptionKinds[kind];
  if (challanNumber !== null) return `${name} of ${challanNumber}`;
  return `${name}: ${(about === 'driver' ? driverName : about === 'owner' ? ownerName : vehicleNo) ?? ''}`;
};

/** Remembers why exceptions are in order (docs/specification.md §35). */
function FineDialog({ rows, onClose }: { rows: readonly Exception[]; onClose: (isDone?: boolean) => void }) {
  const { reason, field, refuse, fieldProps } = useReasonField();
  const [isForLater, setForLater] = useState(false);
  const canBeForLater = rows.some(({ pattern }) => pattern !== null);
  const { mutate, isPending } = exceptions.useSetFine({
    onSuccess: ({ data }) => {
      notify.success(`${countText(data.count, 'exception')} remembered as fine`);
      onClose(true);
    },
    onError: (error) => notify.error(error, 'Failed to remember it'),
  });
  const send = (): void => {
    if (isPending) return;
    const items = rows.map(({ kind, subject, pattern }) => ({
      kind,
      subject: isForLater ? (pattern ?? subject) : subject,
    }));
    const checked = contract.setFine.body.safeParse({ items, reason });
    if (checked.success) mutate({ body: checked.data });
    else refuse(checked.error.issues[0]?.message);
  };
  return (
    <Dialog
      size="sm"
      title={rows.length === 1 ? 'Fine, because …' : `${countText(rows.length, 'exception')} fine, because …`}
      description={rows.length === 1 ? namedException(rows[0]!) : 'The same reason for all of them'}
      onClose={() => onClose()}
      initialFocus={field}
      footer={
        <>
          <Button onClick={() => onClose()}>Cancel</Button>
          <ConfirmButton label="Fine" run={send} busy={isPending} />
        </>
      }
    >
      <TextArea
        {...fieldProps}
        ref={field}
        required
        maxLength={500}
        placeholder="Wet ore, agreed by phone, a diversion by the police…"
        hint="It is hidden from the list, and can be taken back"
      />
      {canBeForLater && (
        <Checkbox
          label="Also later ones of the same vehicle on the same route"
          checked={isForLater}
          onCheckedChange={setForLater}
        />
      )}
    </Dialog>
  );
}
