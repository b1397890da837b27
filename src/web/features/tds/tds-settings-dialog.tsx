import { useRef, useState } from 'react';
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

type Rules = Omit<TdsSettings['declarations'], 'isShipped'>;
type DepositRules = Omit<TdsSettings['deposits'], 'isShipped'>;
type DepositField = `deposit_${keyof DepositRules}`;
type Field = 'section' | 'yearThreshold' | 'challanThreshold' | keyof Rules | DepositField;

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
  const texts: Record<Field, string> = {
    section: changed.section ?? stored?.section ?? '',
    yearThreshold: changed.yearThreshold ?? stored?.yearThreshold ?? '',
    challanThreshold: changed.challanThreshold ?? stored?.challanThreshold ?? '',
    ...ruleTexts(stored?.declarations, changed),
    ...depositTexts(stored?.deposits, changed),
  };
  const bound = (field: Field) => settings.bound(field, texts[field]);
  const { mutate, isPending } = tds.useUpdateSettings(settings.whenSaved);
  const save = (): void => {
    if (!stored || isPending || isStale) return;
    const { section, yearThreshold, challanThreshold, mostCarriages, noticeDays, law, holdsFrom, source, wording } =
      texts;
    const rules = { law, holdsFrom, source, wording };
    const isRulesChanged = ruleNames.some((name) => texts[name] !== String(stored.declarations[name]));
    const wanted = tdsSettingsChange.safeParse({
      basis: basis ?? stored.basis,
      section,
      yearThreshold: yearThreshold === '' ? null : yearThreshold,
      challanThreshold: challanThreshold === '' ? null : challanThreshold,
      ...(isRulesChanged && {
        declarations: { ...rules, mostCarriages: typedCount(mostCarriages), noticeDays: typedCount(noticeDays) },
      }),
      ...(depositNames.some((name) => texts[`deposit_${name}`] !== String(stored.deposits[name])) && {
        deposits: {
          dueDay: typedCount(texts.deposit_dueDay),
          marchDueDay: typedCount(texts.deposit_marchDueDay),
          holdsFrom: texts.deposit_holdsFrom,
          source: texts.deposit_source,
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
      <fieldset className="mt-2 grid grid-cols-2 gap-x-4 border-t border-line pt-3">
        <legend className="sr-only">Declarations of no deduction</legend>
        <p aria-hidden className="col-span-full mb-1 text-xs font-semibold text-ink">
          Declarations of no deduction
        </p>
        {stored?.declarations.isShipped && (
          <Alert tone="warn" title="These are the values of the product" className="col-span-full mb-2">
            Nobody has certified them. Check them with your accountant, and write down the source.
          </Alert>
        )}
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
      </fieldset>
      <fieldset className="mt-2 grid grid-cols-2 gap-x-4 border-t border-line pt-3">
        <legend className="sr-only">Deposits of TDS</legend>
        <p aria-hidden className="col-span-full mb-1 text-xs font-semibold text-ink">
          Deposits of TDS
        </p>
        {stored?.deposits.isShipped && (
          <Alert tone="warn" title="These are the days of the product" className="col-span-full mb-2">
            Nobody has certified them. Check them with your accountant, and write down the source.
          </Alert>
        )}
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
      </fieldset>
    </SettingsDialog>
  );
}

const ruleNames = ['mostCarriages', 'noticeDays', 'law', 'holdsFrom', 'source', 'wording'] as const;

/** The texts of the fields: what was typed, else what is stored. */
const ruleTexts = (stored: Rules | undefined, changed: Partial<Record<Field, string>>): Record<keyof Rules, string> =>
  // Safe: one text for each name.
  Object.fromEntries(ruleNames.map((name) => [name, changed[name] ?? String(stored?.[name] ?? '')])) as Record<
    keyof Rules,
    string
  >;

const depositNames = ['dueDay', 'marchDueDay', 'holdsFrom', 'source'] as const;
const depositTexts = (
  stored: DepositRules | undefined,
  changed: Partial<Record<Field, string>>,
): Record<DepositField, string> =>
  // Safe: one text for each name.
  Object.fromEntries(
    depositNames.map((name) => [`deposit_${name}`, changed[`deposit_${name}`] ?? String(stored?.[name] ?? '')]),
  ) as Record<DepositField, string>;

/** NaN for a text that is no whole number, which the schema refuses. */
const typedCount = (text: string): number => (/^\d+$/.test(text.trim()) ? Number(text) : Number.NaN);
