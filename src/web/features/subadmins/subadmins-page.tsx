import { useCallback, useMemo } from 'react';
import { Smartphone } from 'lucide-react';
import { z } from 'zod';
import { formatCount } from '../../../shared/calc/count-text.ts';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import { activeStatus, type Column } from '../../../shared/columns/define.ts';
import { subadminColumns } from '../../../shared/columns/record-columns.ts';
import type { BodyOf } from '../../../shared/contract/define.ts';
import { subadmins } from '../../resources/subadmins.ts';
import {
  subadmin,
  subadminEditForm,
  subadminFields,
  subadminInput,
  type Subadmin,
} from '../../../shared/contract/subadmins.ts';
import { change } from '../../kit/api/optimistic.ts';
import { confirm } from '../../kit/feedback/confirm.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { formFields } from '../../kit/forms/record-fields.tsx';
import { recordFormDialog } from '../../kit/forms/record-form-dialog.tsx';
import type { CellSpec } from '../../kit/grid/grid-types.ts';
import { factsOf, timesOf } from '../../kit/records/facts.tsx';
import { recordView } from '../../kit/records/record-details.tsx';
import { pageOf } from '../../kit/records/record-rows.ts';
import { recordScreen } from '../../kit/records/record-screen.tsx';
import { useBusyRecords } from '../../kit/records/use-busy-records.ts';

/**
 * The status column shows the state as a word, and the switch beside it changes the state (docs/specification.md
 * §5.1).
 */
const columns: readonly Column<Subadmin>[] = [
  ...subadminColumns,
  { key: 'active', label: 'Active', kind: 'flag', width: 76, value: (row) => row.isActive, words: ['Yes', 'No'] },
];

const { email, isActive, isInDirectory, password: _password, ...businessFields } = subadminFields;

type Body = BodyOf<typeof subadmins.calls.create> & { isActive?: boolean; isInDirectory?: boolean };

/** The form for adding and editing. The rules for contact number and password differ (docs/specification.md §5.2). */
const SubadminFormDialog = recordFormDialog<keyof typeof subadminFields, Body, Subadmin>({
  title: 'Subadmin',
  titles: { add: 'Add New Subadmin', edit: 'Edit Subadmin' },
  fields: formFields(subadminFields, {
    email: { required: true, type: 'email' },
    password: {
      required: true,
      type: 'password',
      autoComplete: 'new-password',
      hint: 'At least 6 characters',
      onEdit: { required: false, hint: 'Leave blank to keep the password' },
    },
    bannerName: { required: true },
    gstNo: { required: true, isUpper: true },
    contactNumber: {
      required: true,
      inputMode: 'tel',
      hint: '10 digits',
      onEdit: { hint: 'Up to 15 digits, with or without +' },
    },
    officeAddress: { required: true, rows: 2, isWide: true },
    isActive: {
      isEditOnly: true,
      switch: {
        label: 'Active',
        hint: 'An inactive account cannot sign in, and its open sessions end at their next request.',
      },
    },
    isInDirectory: {
      isEditOnly: true,
      switch: {
        label: 'Directory of owners',
        hint: 'When off, this business does not see the owners of others, and they do not see its owners.',
      },
    },
  }),
  columns: 2,
  size: 'md',
  schema: subadminInput,
  // The values of the form are texts, so the switches are converted to true or false.
  editSchema: subadminEditForm
    .extend({ isActive: z.enum(['true', 'false']), isInDirectory: z.enum(['true', 'false']) })
    .transform((values) => ({
      ...values,
      isActive: values.isActive === 'true',
      isInDirectory: values.isInDirectory === 'true',
    })),
  shape: subadmin,
  resource: subadmins,
  failureTitle: 'Error',
  words: {
    created: 'Subadmin created successfully',
    updated: 'Subadmin updated successfully',
    notCreated: 'Failed to create subadmin',
    notUpdated: 'Failed to edit subadmin',
  },
});

/**
 * The activation switch (docs/specification.md §5.2). Deactivating asks for confirmation and offers Undo. The change
 * is optimistic: it is shown at once and reverted if the call fails. Only one call per sub-admin runs at a time.
 */
function useActivation() {
  const { pending, isBusy, setBusy } = useBusyRecords();
  const { mutate: send } = subadmins.useSetActive({
    optimistic: ({ params, body }) => [
      change(subadmins.calls.list, (answer) => {
        const row = answer.data.find(({ id }) => id === params.id);
        if (row) row.isActive = body.isActive;
      }),
    ],
    onSuccess: (_answer, { params, body }) => {
      if (body.isActive) notify.success('Subadmin activated successfully');
      else notify.undo('Subadmin deactivated successfully', () => sendActive(params.id, true));
    },
    onError: (error) => notify.error(error, 'Failed to update subadmin status'),
    onSettled: ({ params }) => setBusy(params.id, false),
  });

  const sendActive = useCallback(
    (id: string, isActive: boolean): void => {
      if (isBusy(id)) return;
      setBusy(id, true);
      send({ params: { id }, body: { isActive } });
    },
    [send, isBusy, setBusy],
  );
  const setActive = useCallback(
    async ({ id, bannerName }: Subadmin, isActive: boolean): Promise<void> => {
      if (isBusy(id)) return;
      // Deactivating stops the work of a whole business.
      const isConfirmed =
        isActive ||
        (await confirm({
          title: `Deactivate "${bannerName}"?`,
          body: 'Its users are signed out at once and cannot sign in until you activate it again. Its records are kept.',
          confirmLabel: 'Deactivate',
          danger: true,
        }));
      if (isConfirmed) sendActive(id, isActive);
    },
    [sendActive, isBusy],
  );
  const cells = useMemo<Readonly<Record<string, CellSpec<Subadmin>>>>(
    () => ({
      active: {
        toggle: {
          isSwitch: true,
          isOn: (row) => row.isActive,
          onToggle: (row, isActive) => void setActive(row, isActive),
          label: (row) => `Active, ${row.email}`,
          isPending: (row) => pending.has(row.id),
        },
      },
    }),
    [setActive, pending],
  );
  return { cells, toggleActive: useCallback((row: Subadmin) => void setActive(row, !row.isActive), [setActive]) };
}

/** /admin/subadmins (docs/specification.md §5.1). */
export const SubadminsPage = recordScreen<Subadmin>({
  screen: 'subadmins',
  noun: ['subadmin', 'subadmins'],
  columns,
  useRows: ({ page, limit }) => pageOf(subadmins.useList({ query: { page, limit } })),
  failed: { list: 'Failed to fetch subadmins' },
  empty: {
    title: 'Add your first business',
    text: 'Each business signs in with its own account and sees only its own books.',
  },
  viewLabel: 'View',
  views: {
    view: recordView<Subadmin>({
      record: 'subadmin',
      title: (row) => row?.bannerName ?? 'Subadmin',
      missing: 'Subadmin not found',
      facts: (row) => [
        {
          title: 'Business',
          facts: factsOf(businessFields, row),
        },
        {
          title: 'Account',
          facts: [
            ...factsOf({ email, isActive, isInDirectory }, row, {
              isActive: activeStatus(row.isActive).label,
              isInDirectory: row.isInDirectory ? 'On' : 'Off',
            }),
            { label: 'Role', value: 'Subadmin' },
            { label: 'People', value: formatCount(row.people) },
            { label: 'Last Seen', value: row.lastSeenAt === null ? 'Never' : formatDateTime(row.lastSeenAt) },
            { label: 'ID', value: row.id },
            ...timesOf(row),
          ],
        },
      ],
    }),
  },
  form: { addLabel: 'Add New Subadmin', Dialog: SubadminFormDialog },
  calls: subadmins.calls,
  removal: {
    useSend: subadmins.useRemove,
    question: ({ bannerName, email }) => ({
      title: `Delete subadmin "${bannerName}"?`,
      body: (
        <>
          <p>Are you sure you want to delete this subadmin?</p>
          {/* docs/specification.md §5.3 */}
          <p className="mt-2 text-muted">
            The account can no longer sign in, and {email} stays taken. Its records are kept.
          </p>
        </>
      ),
    }),
    done: 'Subadmin deleted successfully',
    failed: 'Failed to delete subadmin',
  },
  useMore: () => {
    const { cells, toggleActive } = useActivation();
    const { mutateAsync: resetSecondStep } = subadmins.useResetSecondStep();
    const rowCommands = useMemo(
      () => [
        { id: 'toggle', label: 'Activate or deactivate subadmin', keys: 'A', run: toggleActive },
        {
          id: 'second-step',
          label: 'Reset second step',
          icon: <Smartphone size={15} aria-hidden />,
          run: async ({ id, email: login }: Subadmin): Promise<void> => {
            const isDone = await confirm({
              title: `Reset the second step of ${login}?`,
              body: 'For a phone that is lost. The login signs in with the password alone until it sets up another one. Nothing else changes.',
              confirmLabel: 'Reset Second Step',
              danger: true,
              act: () => resetSecondStep({ params: { id } }),
              failed: 'Failed to reset the second step',
            });
            if (isDone) notify.success('Second step reset');
          },
        },
      ],
      [toggleActive, resetSecondStep],
    );
    return { cells, rowCommands };
  },
});
