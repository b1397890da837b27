import { useLayoutEffect, useRef, useState } from 'react';
import { tally as contract, type TallyExport } from '../../../shared/contract/tally.ts';
import { dayRangeOf, type Days } from '../../../shared/calc/day-ranges.ts';
import { ConfirmButtons } from '../../kit/actions/confirm-button.tsx';
import { useRequestKeys } from '../../kit/api/idempotency-key.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { DayField, today } from '../../kit/forms/day-field.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { tally } from '../../resources/tally.ts';
import { notCertified } from './use-tally-file.tsx';

/** Makes a file of all challans and payments of some days (docs/specification.md §31.2). */
export default function TallyExportDialog({
  onClose,
  onMade,
}: {
  onClose: () => void;
  onMade: (file: TallyExport) => void;
}) {
  const [days, setDays] = useState(() => dayRangeOf('lastMonth', today()));
  const [errors, setErrors] = useState<Partial<Days>>({});
  /** What the fields have given last: Ctrl+Enter confirms before that is rendered. */
  const taken = useRef<Days & { problems: Partial<Days> }>({ ...days, problems: {} });
  const first = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  const keys = useRequestKeys();
  const { mutate, isPending } = tally.useCreate({
    onSuccess: ({ data }) => {
      notify.success(`${data.number} made`);
      onClose();
      onMade(data);
    },
    onError: (error) => notify.error(error, 'Failed to make the file'),
  });
  const make = (): void => {
    if (isPending) return;
    // A field gives its day when it is left.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const { from, to, problems } = taken.current;
    const checked = contract.create.body.safeParse({ what: { kind: 'period', from, to } });
    if (checked.success && Object.keys(problems).length === 0)
      mutate({ body: checked.data, idempotencyKey: keys.keyOf([from, to]) });
    else {
      const issues = checked.success ? [] : checked.error.issues.map(({ path, message }) => [path.at(-1), message]);
      setErrors({ ...Object.fromEntries(issues), ...problems });
      first.current?.focus();
    }
  };
  const bound = (name: keyof Days) => ({
    required: true,
    value: days[name],
    error: errors[name],
    onProblem: (problem: string | undefined) => {
      if (problem === undefined) delete taken.current.problems[name];
      else taken.current.problems[name] = problem;
    },
    onValueChange: (day: string) => {
      taken.current[name] = day;
      setDays({ ...days, [name]: day });
      setErrors({});
    },
  });
  return (
    <Dialog
      size="sm"
      title="File for Tally"
      description="Journals of all challans whose day (deposited, else loaded) is in these days, and their payments and reversals."
      onClose={onClose}
      footer={
        <ConfirmButtons onCancel={onClose} label="Make File" calls={tally.calls.create} run={make} busy={isPending} />
      }
    >
      {notCertified}
      <div className="grid grid-cols-2 gap-x-3">
        <DayField ref={first} label="From" {...bound('from')} />
        <DayField label="To" {...bound('to')} />
      </div>
    </Dialog>
  );
}
