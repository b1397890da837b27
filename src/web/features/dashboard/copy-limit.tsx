import { useRef, useState, type FormEvent } from 'react';
import { settingsChange, settingsRecord, type Settings } from '../../../shared/contract/settings.ts';
import { errorText, isApiError, requestIdOf } from '../../kit/api/api-error.ts';
import { settings } from '../../resources/settings.ts';
import { notify } from '../../kit/feedback/toast.ts';
import { Link } from 'react-router-dom';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import { screens } from '../../screens.ts';
import { Button } from '../../kit/ui/button.tsx';
import { RequestId } from '../../kit/ui/request-id.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { QueryFailure } from '../../kit/feedback/failure-alert.tsx';
import { formatCount } from '../../../shared/calc/count-text.ts';

/**
 * The admin's settings for copying owners: whether businesses see each other's owners, and how many of them one
 * business may copy in a day (docs/specification.md §6.4).
 */
export function CopyLimit() {
  const query = settings.useGet({});
  const stored = query.data?.data;
  return (
    <section
      aria-label="Copying owners"
      className="mt-3 max-w-3xl rounded-lg border border-line bg-surface px-4 py-3 shadow-card"
    >
      <h2 className="text-xs text-muted">Copying owners</h2>
      {stored && <CopyLimitForm stored={stored} />}
      {!stored && (
        <QueryFailure
          className="mt-2"
          query={query}
          fallback="Failed to fetch the settings"
          waiting={<Skeleton className="mt-2 h-9 w-64" />}
        />
      )}
    </section>
  );
}

function CopyLimitForm({ stored }: { stored: Settings }) {
  const [text, setText] = useState(String(stored.copiesPerDay));
  const [isDirectoryOn, setDirectoryOn] = useState(stored.isDirectoryOn);
  /** The settings as this admin last saw them. A save sends their version. */
  const [lastSeen, setLastSeen] = useState(stored);
  const [error, setError] = useState<{ text: string; requestId?: string | undefined }>();
  const field = useRef<HTMLInputElement>(null);
  const fail = (text: string, requestId?: string): void => {
    setError({ text, requestId });
    field.current?.focus();
  };
  const update = settings.useUpdate({
    onSuccess: ({ data }) => {
      setLastSeen(data);
      notify.success('Settings saved');
    },
    onError: (problem) => {
      const current = isApiError(problem, 'VERSION_CONFLICT') ? settingsRecord.safeParse(problem.data).data : undefined;
      // What was typed stays in the form. The message names the newer values, so that saving again is an informed
      // choice.
      if (current) {
        setLastSeen(current);
        const number = formatCount(current.copiesPerDay);
        const directory = current.isDirectoryOn ? 'on' : 'off';
        return fail(
          current.isDirectoryOn === lastSeen.isDirectoryOn
            ? `Another admin has changed this to ${number}. Save again to replace it.`
            : `Another admin has switched the directory ${directory} and set this to ${number}. Save again to replace both.`,
        );
      }
      fail(errorText(problem, 'Failed to save the settings'), requestIdOf(problem));
    },
  });
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (update.isPending) return;
    const typed = text.replace(/[\s,]/g, '');
    const wanted = settingsChange.safeParse({
      copiesPerDay: /^\d+$/.test(typed) ? Number(typed) : Number.NaN,
      isDirectoryOn,
      version: lastSeen.version,
    });
    if (wanted.success) update.mutate({ body: wanted.data });
    else fail(wanted.error.issues[0]?.message ?? '');
  };
  return (
    <form className="mt-2" onSubmit={save} noValidate>
      <Checkbox
        isSwitch
        label="Directory of owners"
        hint="When off, no business can see or copy the owners of another. To switch it off for one business, edit that business under Subadmins."
        checked={isDirectoryOn}
        onCheckedChange={setDirectoryOn}
      />
      <div className="mt-3 flex items-start gap-3">
        <div className="w-96">
          <TextField
            ref={field}
            label="Owners a business may copy per day"
            hint="Copied owners show account number, PAN and phone in full. Enter 0 to switch copying off."
            value={text}
            inputMode="numeric"
            maxLength={9}
            error={error?.text}
            onValueChange={(value) => {
              setText(value);
              setError(undefined);
            }}
          />
          <RequestId id={error?.requestId} />
        </div>
        <Button className="mt-5" type="submit" variant="primary" busy={update.isPending}>
          Save
        </Button>
        <Link className="mt-6 ml-auto underline" to={screens.copiedOwners.path}>
          Copied owners
        </Link>
      </div>
    </form>
  );
}
