import { useCallback, useState } from 'react';
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
  declaration as declarationShape,
  declarationChange,
  declarationInput,
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
import { z } from 'zod';
import { typedWheels as typedCount } from '../../../shared/contract/trucks.ts';
import { FormField } from '../../kit/forms/form-field.tsx';
import { formFields } from '../../kit/forms/record-fields.tsx';
import { readKeptEntries } from '../../kit/forms/kept-entries.ts';
import {
  recordForm,
  RecordFormDialog,
  type RecordFormProps,
  type RecordFormSpec,
} from '../../kit/forms/record-form-dialog.tsx';
import { PendingPickers } from '../../kit/forms/pending-pickers.ts';
import { TextField } from '../../kit/ui/text-field.tsx';
import { OwnerPicker, type OwnerChoice } from '../master-data/index.ts';

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
  calls: declarations.calls,
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
          calls: declarations.calls.update,
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

const typed = z.string();
/** The typed texts as the body has them: a count is a number, and an empty day is none. */
const form = z
  .object({
    ownerId: typed,
    receivedOn: typed,
    carriages: typed,
    panNo: typed,
    validUntil: typed,
    withdrawnOn: typed,
    note: typed,
  })
  .transform(({ validUntil, ...values }): z.input<typeof declarationInput> => ({
    ...values,
    carriages: typedCount(values.carriages),
    ...(validUntil !== '' && { validUntil }),
    withdrawnOn: values.withdrawnOn || null,
  }));

type Field = keyof typeof declarationFields;

const spec: RecordFormSpec<Field, z.output<typeof declarationInput>, Declaration> = {
  title: 'Declaration',
  titles: { add: 'Add Declaration', edit: 'Edit Declaration' },
  fields: formFields(declarationFields, {
    ownerId: { required: true, isWide: true },
    receivedOn: { kind: 'day', required: true },
    carriages: { required: true, inputMode: 'numeric', maxLength: 4 },
    panNo: { required: true, isUpper: true, maxLength: 10, reads: 'pan', hint: 'As the owner has written it' },
    validUntil: { kind: 'day', hint: 'Empty: until 31 March' },
    withdrawnOn: { kind: 'day', hint: 'From this day on it is not valid' },
    note: { rows: 2, maxLength: 500, isWide: true },
  }),
  columns: 2,
  schema: form.pipe(declarationInput),
  // The owner of a declaration stays.
  editSchema: form
    .transform(({ ownerId: _owner, ...values }): z.input<typeof declarationChange> => values)
    .pipe(declarationChange),
  shape: declarationShape,
  resource: declarations,
  words: {
    created: 'Declaration saved',
    updated: 'Declaration updated',
    notCreated: 'Failed to save the declaration',
    notUpdated: 'Failed to update the declaration',
  },
};
const useDeclarationForm = recordForm(spec);

/** The form of a declaration (docs/specification.md §27.7). Render it only while it is open. */
function DeclarationFormDialog({ record: opened, ...props }: RecordFormProps<Declaration>) {
  const [owner, setOwner] = useState<OwnerChoice | null>(() => {
    const aside = readKeptEntries(props.entriesKey)?.value.aside;
    if (aside?.['id'])
      return { id: aside['id'], name: aside['name'] ?? '', contactNumber: aside['contactNumber'] ?? '' };
    return opened ? { ...opened.owner, contactNumber: '' } : null;
  });
  const [pickers] = useState(() => new PendingPickers());
  const state = useDeclarationForm({ ...props, record: opened }, { aside: { ...owner } });
  const { record, save } = state;
  const { control } = record.form;
  const isEdit = record.id !== undefined;
  const saveSettled = async (): Promise<void> => {
    await pickers.settled();
    if (pickers.problem === undefined) save();
    else record.focus('ownerId');
  };
  return (
    <RecordFormDialog
      of={spec}
      state={{ ...state, save: () => void saveSettled() }}
      onClose={props.onClose}
      custom={{
        ownerId: isEdit ? (
          <TextField
            key="owner"
            className="col-span-full"
            label={spec.fields.ownerId.label}
            value={owner?.name ?? ''}
            onValueChange={() => undefined}
            lockedReason="A declaration keeps its owner"
          />
        ) : (
          <FormField control={control} name="ownerId">
            {({ name, ref, error, onBlur }) => (
              <div className="col-span-full">
                <OwnerPicker
                  label={spec.fields.ownerId.label}
                  required
                  {...{ name, ref, error, onBlur }}
                  value={owner}
                  onPick={(choice) => {
                    setOwner(choice);
                    record.form.setValue('ownerId', choice?.id ?? '', { shouldDirty: true });
                  }}
                  onPending={pickers.add}
                  onProblem={pickers.setProblem}
                  onAdvance={() => record.focus('receivedOn')}
                />
              </div>
            )}
          </FormField>
        ),
      }}
    />
  );
}
