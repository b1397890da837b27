import { createContext, useContext, useLayoutEffect, useMemo, useState, type ReactNode } from 'react';
import { TriangleAlert } from 'lucide-react';
import { plausibleWarnings, type PlausibleWarning, type WarnedField } from '../../../../shared/calc/plausible.ts';
import { challans } from '../../../resources/challans.ts';
import { today } from '../../../kit/forms/day-field.tsx';
import { changedFields, contractValues } from './form-changes.ts';
import { storedValues } from './form-values.ts';
import type { FormModel } from './form-model.ts';

/**
 * Values that are hardly ever meant (docs/specification.md §8.3.5). They are looked for when a field is left or filled in, not
 * while it is typed into: the first digits of a rate are always too few.
 */
const WarningsContext = createContext<readonly PlausibleWarning[]>([]);

interface PlausibleProps {
  model: FormModel;
  children: ReactNode;
}

/** Gives the warnings to the fields and the notice inside. Only these render again when the warnings change. */
export function Plausible({ model: { form, stored }, children }: PlausibleProps) {
  const [values, setValues] = useState(() => form.getValues());
  useLayoutEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback: ({ type, values: next }) => type !== 'change' && setValues({ ...next }),
      }),
    [form],
  );
  const { loadingPlace, unloadingPlace } = values;
  const query = { loadingPlace: loadingPlace.trim(), unloadingPlace: unloadingPlace.trim(), excludeId: stored?.id };
  const isRouteKnown = query.loadingPlace !== '' && query.unloadingPlace !== '';
  const last = challans.useFindLastRate({ query }, { enabled: isRouteKnown, staleTime: 60_000, retry: false });
  const lastRate = isRouteKnown && !last.isPlaceholderData ? last.data?.data?.ratePerMT : undefined;
  const warnings = useMemo(() => {
    const readings = { ...contractValues(values, stored), today: today(), lastRate };
    const changed: readonly string[] | undefined = stored && changedFields(storedValues(stored), values);
    return plausibleWarnings(readings, changed && { isChanged: (field) => changed.includes(field) });
  }, [values, stored, lastRate]);
  return (
    <WarningsContext value={warnings}>
      <div className="contents" onBlur={() => setValues({ ...form.getValues() })}>
        {children}
      </div>
    </WarningsContext>
  );
}

/** The hint under a field with a warning. The notice has the sentence; a screen reader reads it at the field as well. */
export function useWarningHint(name: string): ReactNode {
  const own = useContext(WarningsContext).filter(({ field }) => field === (name as WarnedField));
  if (own.length === 0) return undefined;
  return (
    <span className="font-medium text-warn">
      <span aria-hidden>⚠ Check, see below</span>
      <span className="sr-only">{own.map(({ message }) => message).join(' ')}</span>
    </span>
  );
}

/** The warnings above the buttons. The bar grows upwards, so no field moves. */
export function PlausibleNotice() {
  const warnings = useContext(WarningsContext);
  return (
    <div role="status" className="flex flex-wrap gap-x-5 text-xs font-medium text-warn">
      {warnings.map(({ name, message }) => (
        <p key={name} className="mb-1.5 flex gap-1.5">
          <TriangleAlert size={14} aria-hidden className="mt-px shrink-0" />
          {message}
        </p>
      ))}
    </div>
  );
}
