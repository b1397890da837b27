import { useRef, useState, type ReactNode } from 'react';
import { maxSectionLength, tdsSettingsChange, type TdsBasis, type TdsSettings } from '../../../shared/contract/tds.ts';
import { readAgain } from '../../kit/api/create-resource.ts';
import { tds } from '../../resources/tds.ts';
import { MoneyField } from '../../kit/forms/amount-fields.tsx';
import { DayField } from '../../kit/forms/day-field.tsx';
import { SettingsDialog, useSettings } from '../../kit/forms/settings-dialog.tsx';
import { Alert } from '../../kit/ui/alert.tsx';
import { Select } from '../../kit/ui/select-field.tsx';
import { TextArea, TextField } from '../../kit/ui/text-field.tsx';

const bases: readonly { value: TdsBasis; label: string }[] = [
  { value: 'paid', label: 'The day the challan was paid' },
  { value: 'deposited', label: 'The day the challan was deposited' },
];

const ruleNames = ['mostCarriages', 'noticeDays', 'law', 'holdsFrom', 'source', 'wording'] as const;
const depositNames = ['deposit_dueDay', 'deposit_marchDueDay', 'deposit_holdsFrom', 'deposit_source'] as const;
type Field =
  'section' | 'yearThreshold' | 'challanThreshold' | (typeof ruleNames)[number] | (typeof depositNames)[number];

/** What is stored, by the names of the fields. */
const heldIn = (stored: TdsSettings | undefined): Readonly<Record<string, unknown>> => ({
  ...stored,
  ...stored?.declarations,
  ...Object.fromEntries(Object.entries(stored?.deposits ?? {}).map(([name, value]) => [`deposit_${name}`, value])),
});

/** The settings of the TDS register of the business (docs/specification.md §27.4). */
export default function TdsSettingsDialog({ onClose }: { onClose: () => void }) {
  const query = tds.useGetSettings({}, readAgain);
  const first = useRef<HTMLButtonElement>(null);
  const settings = useSettings<TdsSettings, Field>({
    query,
    first,
    words: { saved: 'TDS settings saved', notSaved: 'Failed to save the TDS settings' },
    onClose,
  });
  const { stored, changed, isStale } = settings;
  const [basis, setBasis] = useState<TdsBasis>();
  const held = heldIn(stored);
  const textOf = (field: Field): string => changed[field] ?? String(held[field] ?? '');
  const isChanged = (field: Field): boolean => textOf(field) !== String(held[field]);
  /** NaN for a text that is no whole number, which the schema refuses. */
  const countOf = (field: Field): number => (/^\d+$/.test(textOf(field).trim()) ? Number(textOf(field)) : Number.NaN);
  const bound = (field: Field) => settings.bound(field, textOf(field));
  const { mutate, isPending } = tds.useUpdateSettings(settings.whenSaved);
  const save = (): void => {
    if (!stored || isPending || isStale) return;
    const wanted = tdsSettingsChange.safeParse({
      basis: basis ?? stored.basis,
      section: textOf('section'),
      yearThreshold: textOf('yearThreshold') || null,
      challanThreshold: textOf('challanThreshold') || null,
      ...(ruleNames.some(isChanged) && {
        declarations: {
          mostCarriages: countOf('mostCarriages'),
          noticeDays: countOf('noticeDays'),
          law: textOf('law'),
          holdsFrom: textOf('holdsFrom'),
          source: textOf('source'),
          wording: textOf('wording'),
        },
      }),
      ...(depositNames.some(isChanged) && {
        deposits: {
          dueDay: countOf('deposit_dueDay'),
          marchDueDay: countOf('deposit_marchDueDay'),
          holdsFrom: textOf('deposit_holdsFrom'),
          source: textOf('deposit_source'),
        },
      }),
      version: stored.version,
    });
    if (wanted.success) mutate({ body: wanted.data });
    else
      settings.refuse(wanted.error, (path) =>
        path[0] === 'deposits' ? `deposit_${String(path.at(-1))}` : path.at(-1),
      );
  };
  return (
    <SettingsDialog
      title="TDS Settings"
      settings={settings}
      query={query}
      failed="Failed to fetch the TDS settings"
      calls={tds.calls.updateSettings}
      save={save}
      isPending={isPending}
      onClose={onClose}
    >
      <Select
        ref={first}
        label="A deduction counts on"
        value={basis ?? stored?.basis ?? 'paid'}
        onValueChange={setBasis}
        options={bases}
      />
      <TextField
        label="Section"
        hint="Shown in the file. It does not change the register."
        maxLength={maxSectionLength}
        {...bound('section')}
      />
      <MoneyField
        label="Threshold of a PAN in a financial year"
        hint="The register shows since when a PAN is above it. It does not change deductions."
        {...bound('yearThreshold')}
      />
      <MoneyField
        label="Threshold of one challan"
        hint="The register shows how many challans are above it."
        {...bound('challanThreshold')}
      />
      <Group
        title="Declarations of no deduction"
        shipped={stored?.declarations.isShipped && 'These are the values of the product'}
      >
        <TextField
          label="Goods carriages at most"
          hint="More are warned about"
          inputMode="numeric"
          maxLength={4}
          {...bound('mostCarriages')}
        />
        <TextField
          label="Notice before the last day, days"
          inputMode="numeric"
          maxLength={3}
          {...bound('noticeDays')}
        />
        <TextField className="col-span-full" label="Rests on" maxLength={200} {...bound('law')} />
        <DayField label="Since" {...bound('holdsFrom')} />
        <TextArea className="col-span-full" label="Source" rows={2} maxLength={500} {...bound('source')} />
        <TextArea
          className="col-span-full"
          label="Wording of the blank form"
          hint="{business}, {year} and {carriages} are filled in."
          rows={7}
          maxLength={4000}
          {...bound('wording')}
        />
      </Group>
      <Group title="Deposits of TDS" shipped={stored?.deposits.isShipped && 'These are the days of the product'}>
        <TextField
          label="Due on this day of the next month"
          inputMode="numeric"
          maxLength={2}
          {...bound('deposit_dueDay')}
        />
        <TextField
          label="For March on this day of April"
          inputMode="numeric"
          maxLength={2}
          {...bound('deposit_marchDueDay')}
        />
        <DayField label="Due days hold since" {...bound('deposit_holdsFrom')} />
        <TextArea
          className="col-span-full"
          label="Source of the due days"
          rows={2}
          maxLength={500}
          {...bound('deposit_source')}
        />
      </Group>
    </SettingsDialog>
  );
}

/** The fields of one subject. `shipped`: the heading of the warning while they are those of the product. */
function Group({
  title,
  shipped,
  children,
}: {
  title: string;
  shipped: string | false | undefined;
  children: ReactNode;
}) {
  return (
    <fieldset className="mt-2 grid grid-cols-2 gap-x-4 border-t border-line pt-3">
      <legend className="sr-only">{title}</legend>
      <p aria-hidden className="col-span-full mb-1 text-xs font-semibold text-ink">
        {title}
      </p>
      {shipped && (
        <Alert tone="warn" title={shipped} className="col-span-full mb-2">
          Nobody has certified them. Check them with your accountant, and write down the source.
        </Alert>
      )}
      {children}
    </fieldset>
  );
}
