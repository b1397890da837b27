import { useRef, useState } from 'react';
import { mostSection, tdsSettingsChange, type TdsBasis, type TdsSettings } from '../../../shared/contract/tds.ts';
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

/** How the business wants its register (docs/specification.md §30.4). */
export default function TdsSettingsDialog({ onClose }: { onClose: () => void }) {
  const query = tds.useGetSettings({}, { staleTime: 0, refetchOnMount: 'always' as const });
  // What was read first stays: a save that is refused asks again, and what was typed must not go with that.
  const [stored, setStored] = useState<TdsSettings>();
  if (!stored && !query.isFetching && query.data) setStored(query.data.data);
  if (stored) return <SettingsForm stored={stored} onClose={onClose} />;
  return (
    <Dialog open size="sm" title="TDS Settings" onClose={onClose} footer={<Button onClick={onClose}>Cancel</Button>}>
      {query.error === null ? (
        <Skeleton className="h-40" />
      ) : (
        <FailureAlert error={query.error} fallback="Failed to fetch the TDS settings" />
      )}
    </Dialog>
  );
}

type Field = 'section' | 'yearThreshold' | 'challanThreshold';

function SettingsForm({ stored, onClose }: { stored: TdsSettings; onClose: () => void }) {
  const [basis, setBasis] = useState<TdsBasis>(stored.basis);
  const [texts, setTexts] = useState<Record<Field, string>>({
    section: stored.section,
    yearThreshold: stored.yearThreshold ?? '',
    challanThreshold: stored.challanThreshold ?? '',
  });
  const [errors, setErrors] = useState<Partial<Record<Field, string>>>({});
  const [isOld, setOld] = useState(false);
  const first = useRef<HTMLButtonElement>(null);
  const set = (field: Field) => (text: string) => {
    setTexts({ ...texts, [field]: text });
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
    if (isPending || isOld) return;
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
  return (
    <Dialog
      open
      size="sm"
      title="TDS Settings"
      onClose={onClose}
      initialFocus={first}
      footer={
        <>
          <ConfirmKey label="Save" run={save} />
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            keys="Ctrl+Enter"
            busy={isPending}
            disabledReason={isOld ? 'Somebody else has changed the settings' : undefined}
            onClick={save}
          >
            Save
          </Button>
        </>
      }
    >
      {isOld && (
        <Alert tone="warn" title="Somebody else has changed the settings meanwhile" className="mb-3">
          Close this and open it again to see them.
        </Alert>
      )}
      <Select ref={first} label="A deduction counts on" value={basis} onValueChange={setBasis} options={bases} />
      <TextField
        label="Section"
        hint="As you want it in the file; the register does not read it"
        maxLength={mostSection}
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
    </Dialog>
  );
}
