import { useWatch } from 'react-hook-form';
import { clearsHsd, changedFields } from './form-changes.ts';
import { storedValues } from './form-values.ts';
import type { FormModel } from './use-form-model.ts';

/** Ruling 30: changing TP, pump or an HSD figure clears the verification; said before it is saved. */
export function HsdNotice({ model }: { model: FormModel }) {
  const { form, stored } = model;
  useWatch({ control: form.control, name: ['tpNo', 'petrolPump', 'hsdPricePerLiter', 'hsdInLiters'] });
  if (!stored?.hsdVerified || !clearsHsd(changedFields(storedValues(stored), form.getValues()))) return null;
  return (
    <p role="status" className="mb-1.5 text-xs font-medium text-warn">
      Saving clears the HSD verification of this challan: its TP No, petrol pump or HSD figures are changed.
    </p>
  );
}
