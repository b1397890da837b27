import { useLayoutEffect, useRef, useState } from 'react';
import { countText, formatCount } from '../../../shared/calc/count-text.ts';
import {
  ledgerUses,
  tallySettingsChange,
  type LedgerUse,
  type TallyGrouping,
  type TallySettings,
} from '../../../shared/contract/tally.ts';
import {
  ledgersOfRows,
  ledgersOfXml,
  proposedLedgers,
  TALLY_MAX_MASTERS,
  TALLY_MAX_NAME,
} from '../../../shared/reading/tally-masters.ts';
import { tableFileTypes } from '../../../shared/reading/tables.ts';
import { ConfirmButton } from '../../kit/actions/confirm-button.tsx';
import { buttonOf } from '../../kit/actions/registry.ts';
import { isApiError } from '../../kit/api/api-error.ts';
import { FailureAlert } from '../../kit/feedback/failure-alert.tsx';
import { notify } from '../../kit/feedback/toast.ts';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { Select } from '../../kit/ui/select-field.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { bankAccounts } from '../../resources/bank-accounts.ts';
import { tables } from '../../resources/tables.ts';
import { tally } from '../../resources/tally.ts';
import { useReadMastersAction } from './use-tally-file.tsx';

const labels: Readonly<Record<LedgerUse, readonly [label: string, hint?: string]>> = {
  ownersGroup: ['Group of the owners', 'Each owner has a ledger of its own name under it'],
  freight: ['Freight expense'],
  tds: ['TDS payable'],
  pumps: ['Diesel pumps', 'Empty: each pump has a ledger of its own name'],
  advance: ['Advances', 'Usually the cash'],
  officeCharges: ['Office charges'],
  shortage: ['Shortages'],
  bank: ['Payments without a bank file'],
};
const groupings: readonly { value: TallyGrouping; label: string }[] = [
  { value: 'day', label: 'One for each owner and day' },
  { value: 'challan', label: 'One for each challan' },
];

/** What the ledgers of the business are called in Tally (docs/specification.md §31.1). */
export default function TallySettingsDialog({ onClose }: { onClose: () => void }) {
  const query = tally.useGetSettings({}, { staleTime: 0, refetchOnMount: 'always' as const });
  const accounts = bankAccounts.useList({ query: { limit: 100 } });
  // Keeps what was loaded first: a refused save loads it again, which must not replace what was typed.
  const [stored, setStored] = useState<TallySettings>();
  if (!stored && !query.isFetching && query.data) setStored(query.data.data);
  const named = accounts.data?.data;
  const failed = query.error ?? accounts.error;
  const form = useSettingsForm(stored, named, onClose);
  return (
    <Dialog
      size="md"
      title="Ledgers in Tally"
      description="Names exactly as they are in Tally. A name that its masters have in another spelling is written as there."
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          {stored && named && (
            <ConfirmButton
              label="Save"
              calls={tally.calls.updateSettings}
              run={form.save}
              busy={form.isPending}
              disabledReason={form.isStale ? 'Somebody else has changed the settings' : undefined}
            />
          )}
        </>
      }
    >
      {stored && named && form.fields}
      {!(stored && named) && failed === null && <Skeleton className="h-40" />}
      {!(stored && named) && failed !== null && (
        <FailureAlert
          error={failed}
          fallback="Failed to fetch the ledgers"
          onRetry={() => void Promise.all([query.refetch(), accounts.refetch()])}
          isRetrying={query.isFetching || accounts.isFetching}
        />
      )}
    </Dialog>
  );
}

/** The ledgers in a file: Tally's masters as XML, or a table with a name in each row. */
function useReadMasters(onRead: (names: string[]) => void) {
  const read = tables.useRead();
  const readFile = async (file: File): Promise<void> => {
    try {
      const bytes = file.name.toLowerCase().endsWith('.xml') ? await file.arrayBuffer() : undefined;
      const [first, second] = new Uint8Array(bytes ?? []);
      const isWide = first === 0xff && second === 0xfe;
      const names = bytes
        ? (ledgersOfXml(new TextDecoder(isWide ? 'utf-16le' : 'utf-8').decode(bytes)) ?? [])
        : (await read.mutateAsync({ file })).data.sheets.flatMap(({ rows }) => ledgersOfRows(rows));
      if (names.length === 0) notify.warning('The file has no ledgers.');
      else if (names.length > TALLY_MAX_MASTERS)
        notify.warning(`The file has more than ${formatCount(TALLY_MAX_MASTERS)} ledgers.`);
      else onRead(names);
    } catch (error) {
      notify.error(error, 'Failed to read the file');
    }
  };
  return { readFile, isReading: read.isPending };
}

function ReadMastersButton({ isReading, choose }: { isReading: boolean; choose: () => void }) {
  const action = useReadMastersAction(choose);
  return (
    <Button busy={isReading} {...buttonOf(action)}>
      {action.label}
    </Button>
  );
}

function useSettingsForm(
  stored: TallySettings | undefined,
  named: readonly { id: string; name: string }[] | undefined,
  onClose: () => void,
) {
  const accounts = named ?? [];
  /** By the use of a ledger, or by the id of a bank account. */
  const [changed, setChanged] = useState<Readonly<Record<string, string>>>({});
  const [grouping, setGrouping] = useState<TallyGrouping>();
  const [masters, setMasters] = useState<string[]>();
  const [errors, setErrors] = useState<Readonly<Record<string, string | undefined>>>({});
  const [isStale, setStale] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);
  const firstRef = useRef<HTMLInputElement>(null);
  const textOf = (key: string): string =>
    changed[key] ??
    stored?.ledgers[key as LedgerUse] ??
    stored?.accounts.find(({ id }) => id === key)?.ledger ??
    accounts.find(({ id }) => id === key)?.name ??
    '';
  const bound = (key: string) => ({
    value: textOf(key),
    error: errors[key],
    maxLength: TALLY_MAX_NAME,
    onValueChange: (text: string): void => {
      setChanged({ ...changed, [key]: text });
      setErrors({ ...errors, [key]: undefined });
    },
  });
  const { readFile, isReading } = useReadMasters((names) => {
    const keys = [
      ...ledgerUses.filter((use) => use !== 'ownersGroup' && textOf(use) !== ''),
      ...accounts.map(({ id }) => id),
    ];
    const found = proposedLedgers(names, Object.fromEntries(keys.map((key) => [key, textOf(key)])));
    setMasters(names);
    setChanged({ ...changed, ...found });
    notify.success(
      `${countText(names.length, 'ledger')} read, ${countText(Object.keys(found).length, 'name')} proposed`,
    );
  });
  const { mutate, isPending } = tally.useUpdateSettings({
    onSuccess: () => {
      notify.success('Ledgers saved');
      onClose();
    },
    onError: (problem) => {
      // What was typed stays visible. The newer settings are shown when the dialog is opened again.
      if (isApiError(problem, 'VERSION_CONFLICT')) setStale(true);
      else notify.error(problem, 'Failed to save the ledgers');
    },
  });
  const save = (): void => {
    if (!stored || isPending || isStale) return;
    const wanted = tallySettingsChange.safeParse({
      ledgers: Object.fromEntries(ledgerUses.map((use) => [use, textOf(use)])),
      accounts: accounts.map(({ id }) => ({ id, ledger: textOf(id) })),
      grouping: grouping ?? stored.grouping,
      ...(masters && { masters }),
      version: stored.version,
    });
    if (wanted.success) mutate({ body: wanted.data });
    else
      setErrors(
        Object.fromEntries(
          wanted.error.issues.map(({ path: [part, key], message }) => [
            part === 'accounts' ? accounts[Number(key)]?.id : String(key),
            message,
          ]),
        ),
      );
  };
  const isLoaded = stored !== undefined && named !== undefined;
  // A layout effect, so that a user who types as soon as the fields appear types into the first one.
  useLayoutEffect(() => {
    if (isLoaded) firstRef.current?.focus();
  }, [isLoaded]);
  const fields = (
    <>
      {isStale && (
        <Alert tone="warn" title="Somebody else has changed the settings" className="mb-3">
          Close this dialog and open it again to see the changes.
        </Alert>
      )}
      <div className="mb-3 flex items-center gap-3">
        <ReadMastersButton isReading={isReading} choose={() => inputRef.current?.click()} />
        <span className="text-xs text-muted">
          {`${countText(masters?.length ?? stored?.masterCount ?? 0, 'ledger')} of Tally known. A list of names, one in a row, or the masters exported as XML.`}
        </span>
        <input
          ref={inputRef}
          type="file"
          accept={[...tableFileTypes, '.xml'].join(',')}
          aria-label="Masters of Tally"
          className="hidden"
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            target.value = '';
            if (file) void readFile(file);
          }}
        />
      </div>
      <div className="grid grid-cols-2 gap-x-4">
        {ledgerUses.map((use, at) => {
          const [label, hint] = labels[use];
          return (
            <TextField
              key={use}
              ref={at === 0 ? firstRef : undefined}
              label={label}
              hint={hint}
              required={use !== 'pumps'}
              {...bound(use)}
            />
          );
        })}
        {accounts.map(({ id, name }) => (
          <TextField key={id} label={`Bank account ${name}`} required {...bound(id)} />
        ))}
        <Select
          label="Journals"
          value={grouping ?? stored?.grouping ?? 'day'}
          options={groupings}
          onValueChange={setGrouping}
        />
      </div>
    </>
  );
  return { fields, save, isPending, isStale };
}
