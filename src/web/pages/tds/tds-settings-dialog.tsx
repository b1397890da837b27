import { useLayoutEffect, useRef, useState } from 'react';
import { maxSectionLength, tdsSettingsChange, type TdsBasis, type TdsSettings } from '../../../shared/contract/tds.ts';
import { ConfirmKey } from '../../actions/confirm-key.ts';
import { isApiError } from '../../api/api-error.ts';
import { tds } from '../../api/tds.ts';
import { FailureAlert } from '../../feedback/failure-alert.tsx';
import { notify } from '../../feedback/toast.ts';
import { MoneyField } from '../../forms/fields.tsx';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select-field.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextField } from '../../ui/text-field.tsx';

const bases: readonly { value: TdsBasis; label: string }[] = [
  { value: 'paid', label: 'The day the challan was paid' },
  { value: 'deposited', label: 'The day the challan was deposited' },
];

/** How the business wants its register (docs/specification.md §27.4). */
export default function TdsSettingsDialog({ onClose }: { onClose: () => void }) {
  const query = tds.useGetSettings({}, { staleTime: 0, refetchOnMount: 'always' as const });
  // What was read first stays: a save that is refused asks again, and what was typed must not go with that.
  const [stored, setStored] = useState<TdsSettings>();
  if (!stored && !query.isFetching && query.data) setStored(query.data.data);
  // One dialog, loaded or not: it gives the focus back to where it was opened.
  const form = useSettingsForm(stored, onClose);
  return (
    <Dialog
      open
      size="sm"
      title="TDS Settings"
      onClose={onClose}
      footer={
        <>
          {stored && <ConfirmKey label="Save" run={form.save} />}
          <Button onClick={onClose}>Cancel</Button>
          {stored && (
            <Button
              variant="primary"
              keys="Ctrl+Enter"
              busy={form.isPending}
              disabledReason={form.isOld ? 'Somebody else has changed the settings' : undefined}
              onClick={form.save}
            >
              Save
            </Button>
          )}
        </>
      }
    >
      {stored && form.fields}
      {!stored && query.error === null && <Skeleton className="h-40" />}
      {!stored && query.error !== null && (
        <FailureAlert error={query.error} fallback="Failed to fetch the TDS settings" />
      )}
    </Dialog>
  );
}

type Field = 'section' | 'yearThreshold' | 'challanThreshold';

function useSettingsForm(stored: TdsSettings | undefined, onClose: () => void) {
  const [changed, setChanged] = useState<Partial<Record<Field, string>> & { basis?: TdsBasis }>({});
  const basis = changed.basis ?? stored?.basis ?? 'paid';
  const texts: Record<Field, string> = {
    section: changed.section ?? stored?.section ?? '',
    yearThreshold: changed.yearThreshold ?? stored?.yearThreshold ?? '',
    challanThreshold: changed.challanThreshold ?? stored?.challanThreshold ?? '',
  };
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const [isOld, setOld] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  const set = (field: Field) => (text: string) => {
    setChanged({ ...changed, [field]: text });
    setErrors({ ...errors, [field]: undefined });
  };
  const { mutate, isPending } = tds.useUpdateSettings({
    onSuccess: () => {
      notify.success('TDS settings saved');
      onClose();
    },
    onError: (problem) => {
      // What was typed stays in sight; the newer settings are shown when the dialog is opened again.
      if (isApiError(problem, 'VERSION_CONFLICT')) setOld(true);
      else notify.error(problem, 'Failed to save the TDS settings');
    },
  });
  const save = (): void => {
    if (!stored || isPending || isOld) return;
    const { section, yearThreshold, challanThreshold } = texts;
    const wanted = tdsSettingsChange.safeParse({
      basis,
      section,
      yearThreshold: yearThreshold === '' ? null : yearThreshold,
      challanThreshold: challanThreshold === '' ? null : challanThreshold,
      version: stored.version,
    });
    if (wanted.success) mutate({ body: wanted.data });
    else setErrors(Object.fromEntries(wanted.error.issues.map(({ path, message }) => [path[0], message])));
  };
  const isLoaded = stored !== undefined;
  // With the drawing: who types as soon as the fields are there types into the first.
  useLayoutEffect(() => {
    if (isLoaded) first.current?.focus();
  }, [isLoaded]);
  const fields = (
    <>
      {isOld && (
        <Alert tone="warn" title="Somebody else has changed the settings meanwhile" className="mb-3">
          Close this and open it again to see them.
        </Alert>
      )}
      <Select
        ref={first}
        label="A deduction counts on"
        value={basis}
        onValueChange={(next) => setChanged({ ...changed, basis: next })}
        options={bases}
      />
      <TextField
        label="Section"
        hint="As you want it in the file; the register does not read it"
        maxLength={maxSectionLength}
        value={texts.section}
        error={errors.section}
        onValueChange={set('section')}
      />
      <MoneyField
        label="Threshold of a PAN in a financial year"
        hint="The register shows since when a PAN is above it; nothing is deducted by it"
        value={texts.yearThreshold}
        error={errors.yearThreshold}
        onValueChange={set('yearThreshold')}
      />
      <MoneyField
        label="Threshold of one challan"
        hint="The register counts the challans above it"
        value={texts.challanThreshold}
        error={errors.challanThreshold}
        onValueChange={set('challanThreshold')}
      />
    </>
  );
  return { fields, save, isPending, isOld };
}
