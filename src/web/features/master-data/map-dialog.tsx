import { useLayoutEffect, useRef, useState } from 'react';
import type { UnknownKind } from '../../../shared/sheet/check-row.ts';
import { ConfirmButtons } from '../../kit/actions/confirm-button.tsx';
import { OwnerPicker, PetrolPumpPicker, TagPicker, type OwnerChoice } from './pickers.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';

export const unknownNouns: Readonly<Record<UnknownKind, string>> = {
  vehicle: 'truck',
  owner: 'owner',
  tag: 'tag',
  petrolPump: 'petrol pump',
};

interface MapDialogProps {
  name: { kind: UnknownKind; text: string; count: number };
  onClose: () => void;
  onMap: (to: { text: string; contactNumber?: string }) => void;
}

/** "Map to …": replaces a name that was not found by the name of an existing record. */
export function MapDialog({ name, onClose, onMap }: MapDialogProps) {
  const [choice, setChoice] = useState<{ id: string; name: string } | null>(null);
  const [owner, setOwner] = useState<OwnerChoice | null>(null);
  const [text, setText] = useState(name.text);
  const { kind } = name;
  const noun = unknownNouns[kind];
  const chosen =
    kind === 'vehicle'
      ? { text: text.trim() }
      : owner
        ? { text: owner.name, contactNumber: owner.contactNumber }
        : choice && { text: choice.name };
  const isReady = chosen !== null && chosen.text !== '' && chosen.text !== name.text;
  const map = (): void => {
    if (chosen && isReady) onMap(chosen);
  };
  return (
    <Dialog
      size="sm"
      title={`Map ${noun} “${name.text}” to`}
      description={`It is in ${name.count} ${name.count === 1 ? 'row' : 'rows'}. Every such row gets the name you choose.`}
      onClose={onClose}
      footer={
        <ConfirmButtons
          onCancel={onClose}
          label="Map"
          run={map}
          disabledReason={isReady ? undefined : `Choose another ${noun}`}
        />
      }
    >
      {kind === 'vehicle' && <TextField label="Vehicle No" value={text} onValueChange={setText} />}
      {kind === 'owner' && <OwnerPicker label="Owner" value={owner} onPick={setOwner} />}
      {kind === 'tag' && (
        <TagPicker label="Tag" value={choice && { ...choice, color: 'transparent' }} onPick={setChoice} />
      )}
      {kind === 'petrolPump' && <PetrolPumpPicker label="Petrol Pump" value={choice} onPick={setChoice} />}
    </Dialog>
  );
}

/**
 * When a name is found, its buttons disappear, and the focus may be lost with them. Then this calls `moveFocus`. If the user
 * has moved the focus meanwhile, it stays there. `unknownCount` is the number of names that are not found.
 */
export function useFocusWhenFound(unknownCount: number, moveFocus: () => void): void {
  const before = useRef(unknownCount);
  useLayoutEffect(() => {
    const isFewer = unknownCount < before.current;
    before.current = unknownCount;
    if (isFewer && document.activeElement === document.body) moveFocus();
  });
}
