import { useWatch } from 'react-hook-form';
import { formatINR, isPositive } from '../../../shared/calc/money.ts';
import type { Challan } from '../../../shared/contract/challan.ts';
import type { FormModel } from './use-form-model.ts';

/**
 * A copied challan comes without its material shortage, whose rate is not stored (part 2 §3): until a rate is entered the
 * net is higher than the one it was copied from, which nobody should have to find out.
 */
export function CopiedShortageNotice({ model, copyFrom }: { model: FormModel; copyFrom: Challan | undefined }) {
  const [materialRate, vehicleNo] = useWatch({ control: model.form.control, name: ['materialRate', 'vehicleNo'] });
  // A form that was cleared, or goes on with the next challan, is no copy any more.
  if (!copyFrom || materialRate !== '' || vehicleNo === '') return null;
  if (!isPositive(copyFrom.materialShortageAmount)) return null;
  return (
    <p role="status" className="mb-1.5 text-xs font-medium text-warn">
      {copyFrom.challanNumber} has a material shortage of {formatINR(copyFrom.materialShortageAmount)}. Its rate is not
      stored: enter Material Rate per MT to deduct it here too.
    </p>
  );
}
