import { Button } from '../../../kit/ui/button.tsx';
import { Checkbox } from '../../../kit/ui/checkbox.tsx';
import { Dialog } from '../../../kit/ui/dialog.tsx';
import { fieldLabels, fieldNames, type FieldName } from './form-values.ts';
import { nextChallan } from './remembered.ts';

interface StopsDialogProps {
  stops: ReadonlySet<string>;
  onChange: (name: FieldName, isStop: boolean) => void;
  onClose: () => void;
}

/** Fields that Enter skips once they are filled in. It stops at TP No and at what is typed for each challan in any case. */
const skipped = fieldNames.filter(
  (name) => name === 'unloadingDate' || name === 'tdsPercentage' || (nextChallan[name] !== 'typed' && name !== 'tpNo'),
);

/** Where Enter stops although the field needs no typing (docs/keyboard.md §6). Each tick is kept at once. */
export function StopsDialog({ stops, onChange, onClose }: StopsDialogProps) {
  return (
    <Dialog
      title="Where Enter stops"
      description="Enter stops at a ticked field of a new challan, even if its value is remembered."
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <ul className="grid grid-cols-2 gap-x-4 gap-y-1.5">
        {skipped.map((name) => (
          <li key={name}>
            <Checkbox
              label={fieldLabels[name]}
              checked={stops.has(name)}
              onCheckedChange={(isStop) => onChange(name, isStop)}
            />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
