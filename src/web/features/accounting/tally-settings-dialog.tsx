import { useRef, useState } from 'react';
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
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { readAgain } from '../../kit/api/create-resource.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { SettingsDialog, useSettings } from '../../kit/forms/settings-dialog.tsx';
import { Select } from '../../kit/ui/select-field.tsx';
import { FileInput } from '../../kit/ui/file-input.tsx';
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
  const query = tally.useGetSettings({}, readAgain);
  const named = bankAccounts.useList({ query: { limit: 100 } });
  const accounts = named.data?.data ?? [];
  const inputRef = useRef<HTMLInputElement>(null);
  const first = useRef<HTMLInputElement>(null);
  /** The fields are those of the uses of ledgers, and the ids of the bank accounts. */
  const settings = useSettings<TallySettings, string>({
    query,
    hasRest: named.data !== undefined,
    first,
    words: { saved: 'Ledgers saved', notSaved: 'Failed to save the ledgers' },
    onClose,
  });
  const { stored, changed, isStale } = settings;
  const [grouping, setGrouping] = useState<TallyGrouping>();
  const [masters, setMasters] = useState<string[]>();
  const textOf = (key: string): string =>
    changed[key] ??
    stored?.ledgers[key as LedgerUse] ??
    stored?.accounts.find(({ id }) => id === key)?.ledger ??
    accounts.find(({ id }) => id === key)?.name ??
    '';
  const bound = (key: string) => ({ ...settings.bound(key, textOf(key)), maxLength: TALLY_MAX_NAME });
  const { readFile, isReading } = useReadMasters((names) => {
    const keys = [
      ...ledgerUses.filter((use) => use !== 'ownersGroup' && textOf(use) !== ''),
      ...accounts.map(({ id }) => id),
    ];
    const found = proposedLedgers(names, Object.fromEntries(keys.map((key) => [key, textOf(key)])));
    setMasters(names);
    settings.change(found);
    notify.success(
      `${countText(names.length, 'ledger')} read, ${countText(Object.keys(found).length, 'name')} proposed`,
    );
  });
  const { mutate, isPending } = tally.useUpdateSettings(settings.whenSaved);
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
    else settings.refuse(wanted.error, ([part, key]) => (part === 'accounts' ? accounts[Number(key)]?.id : key));
  };
  return (
    <SettingsDialog
      title="Ledgers in Tally"
      description="Names exactly as they are in Tally. A name that its masters have in another spelling is written as there."
      settings={settings}
      query={{
        error: query.error ?? named.error,
        refetch: () => Promise.all([query.refetch(), named.refetch()]),
        isFetching: query.isFetching || named.isFetching,
      }}
      failed="Failed to fetch the ledgers"
      calls={tally.calls.updateSettings}
      save={save}
      isPending={isPending}
      onClose={onClose}
    >
      <div className="mb-3 flex items-center gap-3">
        <ReadMastersButton isReading={isReading} choose={() => inputRef.current?.click()} />
        <span className="text-xs text-muted">
          {`${countText(masters?.length ?? stored?.masterCount ?? 0, 'ledger')} of Tally known. A list of names, one in a row, or the masters exported as XML.`}
        </span>
        <FileInput
          inputRef={inputRef}
          label="Masters of Tally"
          types={[...tableFileTypes, '.xml']}
          onFile={(file) => void readFile(file)}
        />
      </div>
      <div className="grid grid-cols-2 gap-x-4">
        {ledgerUses.map((use, at) => {
          const [label, hint] = labels[use];
          return (
            <TextField
              key={use}
              ref={at === 0 ? first : undefined}
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
    </SettingsDialog>
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
  return <ActionButton action={action} busy={isReading} />;
}
