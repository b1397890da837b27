import { useCallback } from 'react';
import { Ban, Printer } from 'lucide-react';
import { Link } from 'react-router-dom';
import { countText } from '../../../shared/calc/count-text.ts';
import { formatDate } from '../../../shared/calc/dates.ts';
import { declaredYear } from '../../../shared/calc/declaration.ts';
import { declarationColumns } from '../../../shared/columns/tds-columns.ts';
import {
  declarationFields,
  declarationSortKeys,
  declarationWarnings,
  type Declaration,
} from '../../../shared/contract/declarations.ts';
import { declarationStatus } from '../../../shared/columns/declaration-status.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import type { Action } from '../../kit/actions/registry.ts';
import { call, saveFile } from '../../kit/api/client.ts';
import { confirm } from '../../kit/feedback/confirm.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { today } from '../../kit/forms/day-field.tsx';
import { factsOf, timesOf } from '../../kit/records/facts.tsx';
import { recordView } from '../../kit/records/record-details.tsx';
import { orderOf } from '../../kit/records/record-place.ts';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { challans } from '../../resources/challans.ts';
import { declarations } from '../../resources/declarations.ts';
import { screens } from '../../screens.ts';
import { DeclarationFormDialog } from './declaration-form-dialog.tsx';

const linkClass = 'underline underline-offset-2';

/** How many challans differ from the declarations, with links to the list that corrects them. */
function Differences() {
  const over = challans.useGetSums({ query: { tdsDeclared: 'over' } });
  const under = challans.useGetSums({ query: { tdsDeclared: 'under' } });
  const links = [
    ['over', over.data?.data.totalCount ?? 0, 'deducted although declared'],
    ['over&paymentStatus=paid', over.data?.data.paidCount ?? 0, 'paid with this deduction'],
    ['under', under.data?.data.totalCount ?? 0, 'at 0 % without a declaration'],
  ] as const;
  return (
    <nav aria-label="Related screens" className="flex flex-wrap gap-x-3 text-sm">
      <Link className={linkClass} to={screens.tds.path}>
        {screens.tds.name}
      </Link>
      {links.map(
        ([value, count, words]) =>
          count > 0 && (
            <Link key={value} className={`${linkClass} text-warn`} to={`${screens.challans.path}?tdsDeclared=${value}`}>
              {countText(count, 'challan')} {words}
            </Link>
          ),
      )}
    </nav>
  );
}

async function printForm(): Promise<void> {
  try {
    saveFile(await call(declarations.calls.form, {}), 'declaration.pdf');
    notify.success('Blank form downloaded successfully');
  } catch (error) {
    notify.error(error, 'Failed to download the blank form');
  }
}

const warningsOf = (row: Declaration) => {
  const warnings = declarationWarnings(row);
  return warnings.length === 0 ? [] : [{ label: 'Look At', value: warnings.join('\n') }];
};

/** /accounting/tds/declarations: declarations of owners from whom nothing is deducted (docs/specification.md §27.7). */
export const DeclarationsPage = recordScreen<Declaration>({
  screen: 'declarations',
  noun: ['declaration', 'declarations'],
  columns: declarationColumns,
  sorts: { keys: declarationSortKeys, by: 'receivedOn', order: 'desc' },
  search: { hint: 'Owner, PAN, note or year' },
  useRows: (ask) => {
    const { page, limit, search } = ask;
    return pageOf(
      declarations.useList({ query: { page, limit, search, ...orderOf(declarationSortKeys, 'receivedOn', ask) } }),
    );
  },
  failed: { list: 'Failed to fetch declarations' },
  empty: {
    importKind: 'declarations',
    text: 'Add the declarations that owners give you. While one is valid, nothing is deducted from the challans of its owner.',
  },
  viewLabel: 'View',
  views: {
    view: recordView<Declaration>({
      record: 'declaration',
      title: (row) => (row ? `Declaration of ${row.owner.name}, ${declaredYear(row.validUntil)}` : 'Declaration'),
      useRecord: (id) => declarations.useGet({ params: { id } }),
      failed: 'Failed to fetch declarations',
      facts: (row) => [
        {
          title: 'Declaration',
          facts: [
            ...factsOf(declarationFields, row, {
              ownerId: <Link to={`/owners?open=${row.ownerId}`}>{row.owner.name}</Link>,
              receivedOn: formatDate(row.receivedOn),
              validUntil: formatDate(row.validUntil),
              withdrawnOn: row.withdrawnOn === null ? '–' : formatDate(row.withdrawnOn),
            }),
            { label: 'State', value: declarationStatus(row).label },
            ...warningsOf(row),
            ...timesOf(row),
          ],
        },
      ],
    }),
  },
  form: { addLabel: 'Add Declaration', Dialog: DeclarationFormDialog },
  useMore: () => {
    const { mutateAsync } = declarations.useUpdate();
    const withdraw = useCallback(
      async ({ id, owner, version }: Declaration): Promise<void> => {
        const isDone = await confirm({
          title: `Withdraw the declaration of ${owner.name}?`,
          body: `From today, ${formatDate(today())}, tax is deducted from its new challans. Challans that were saved stay as they are.`,
          confirmLabel: 'Withdraw',
          act: () => mutateAsync({ params: { id }, body: { withdrawnOn: today(), version } }),
          failed: 'Failed to withdraw the declaration',
        });
        if (isDone) notify.success('Declaration withdrawn');
      },
      [mutateAsync],
    );
    const print: Action = {
      id: 'declarations.form',
      label: 'Blank Form',
      keys: 'P',
      scope: screens.declarations.name,
      words: 'print pdf paper sign',
      run: () => void printForm(),
    };
    return {
      actions: [print],
      rowCommands: [
        {
          id: 'withdraw',
          title: 'Withdraw a declaration',
          label: 'Withdraw',
          icon: <Ban size={15} aria-hidden />,
          keys: 'W',
          run: (row: Declaration) => void withdraw(row),
          disabledReason: ({ withdrawnOn }: Declaration) =>
            withdrawnOn === null ? undefined : `It was withdrawn on ${formatDate(withdrawnOn)}`,
        },
      ],
      aside: (
        <>
          <Differences />
          <ActionButton action={print} icon={Printer} />
        </>
      ),
    };
  },
  removal: {
    useSend: declarations.useRemove,
    question: ({ owner, receivedOn }) => ({
      title: `Delete the declaration of ${owner.name}?`,
      body: `The declaration of ${formatDate(receivedOn)} is deleted. One that challans rest on is withdrawn instead.`,
    }),
    done: 'Declaration deleted successfully!',
    failed: 'Failed to delete declaration',
  },
});
