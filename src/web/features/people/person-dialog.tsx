import { useState } from 'react';
import { z } from 'zod';
import { addDays } from '../../../shared/calc/dates.ts';
import { AUDITOR_DAYS, person, personInvite, type Person, seatTexts } from '../../../shared/contract/people.ts';
import { seatNames, seats } from '../../../shared/contract/seats.ts';
import type { ApiError } from '../../kit/api/api-error.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { DayField, today } from '../../kit/forms/day-field.tsx';
import { FormField } from '../../kit/forms/form-field.tsx';
import { RecordConflicts, RecordDialog } from '../../kit/forms/record-dialog.tsx';
import type { FieldTable } from '../../kit/forms/record-fields.tsx';
import type { RecordFormProps } from '../../kit/forms/record-form-dialog.tsx';
import { storedOf, useRecordForm } from '../../kit/forms/record-form.ts';
import { Select } from '../../kit/ui/select-field.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { people } from '../../resources/people.ts';
import { LinkDialog, type MadeLink } from './link-dialog.tsx';

/** The last day is a text, '' for everybody but an auditor. */
const schema = z.object({ ...personInvite.pick({ email: true, seat: true }).shape, endsOn: z.string() });
const seatOptions = seats.map((value) => ({ value, label: seatNames[value] }));
const fieldsOf = (): FieldTable<'email' | 'seat' | 'endsOn'> => ({
  email: { label: 'Email' },
  seat: { label: 'Seat', initial: 'clerk' },
  endsOn: { label: 'Last Day', initial: addDays(today(), AUDITOR_DAYS) },
});

/** Invites a person and then shows the link, or changes the seat of one. Mount it only while it is open. */
export function PersonDialog({ record: opened, entriesKey, onClose, onSaved }: RecordFormProps<Person>) {
  const [fields] = useState(fieldsOf);
  const record = useRecordForm(schema, storedOf(fields, opened ?? {}), { id: opened?.id, entriesKey });
  const [dayProblem, setDayProblem] = useState<string>();
  const [made, setMade] = useState<MadeLink>();
  const isNew = record.id === undefined;
  const failed = isNew ? 'Failed to invite the person' : 'Failed to change the person';
  const onError = (error: ApiError): void =>
    record.showFailure(error, failed, (data) => {
      const current = person.safeParse(data);
      return current.success ? storedOf(fields, current.data) : undefined;
    });
  const invite = people.useInvite({
    onSuccess: ({ data, linkToken }) => setMade({ person: data, token: linkToken }),
    onError,
  });
  const update = people.useUpdate({
    onSuccess: ({ data }) => {
      notify.success('Changed. The person signs in again.');
      onSaved(data);
    },
    onError,
  });
  const isBusy = invite.isPending || update.isPending;
  const { control } = record.form;
  const seat = record.form.watch('seat');
  const isAuditor = seat === 'auditor';

  const save = (): void =>
    record.submit((values) => {
      if (isBusy) return;
      if (isAuditor && dayProblem !== undefined) {
        record.focus('endsOn');
        return;
      }
      const { email, seat: chosen, endsOn } = schema.parse(values);
      const body = { seat: chosen, ...(isAuditor && endsOn !== '' && { endsOn }) };
      const { id, version } = record;
      if (id === undefined) invite.mutate({ body: { email, ...body } });
      else if (record.changed().length === 0) onClose();
      else update.mutate({ params: { id }, body: { ...body, version } });
    });

  if (made) return <LinkDialog made={made} onClose={() => onSaved(made.person)} />;
  return (
    <RecordDialog
      title={isNew ? 'Invite a Person' : `Change ${opened?.name || opened?.email || 'Person'}`}
      saveLabel={isNew ? 'Invite' : 'Save'}
      record={record}
      isBusy={isBusy}
      onSave={save}
      onClose={onClose}
      size="sm"
    >
      <RecordConflicts noun="This person" record={record} fields={fields} />
      <div className="grid gap-y-1">
        {isNew && (
          <FormField control={control} name="email">
            {(field) => <TextField {...field} label="Email" type="email" inputMode="email" required />}
          </FormField>
        )}
        <FormField control={control} name="seat">
          {(field) => (
            <Select {...field} label="Seat" options={seatOptions} hint={seatTexts[schema.shape.seat.parse(seat)]} />
          )}
        </FormField>
        {isAuditor && (
          <FormField control={control} name="endsOn">
            {(field) => (
              <DayField
                {...field}
                label="Last Day"
                hint="The seat ends by itself at the end of this day."
                error={dayProblem ?? field.error}
                onProblem={setDayProblem}
              />
            )}
          </FormField>
        )}
        <p className="text-muted">
          {isNew
            ? 'You get a link for the person, who chooses a name and a password with it. No mail is sent.'
            : 'Open sessions of the person end.'}
        </p>
      </div>
    </RecordDialog>
  );
}
