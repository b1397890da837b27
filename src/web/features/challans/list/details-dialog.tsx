import { Copy, CopyPlus, Pencil, Trash2 } from 'lucide-react';
import { ActionButton } from '../../../kit/actions/action-button.tsx';
import { challanDetailsCommands } from '../challan-list-actions.ts';
import { useCommands } from '../../../kit/actions/registry.ts';
import { canToggleHsd, reasonOf } from '../../../../shared/access.ts';
import type { ListedChallan } from '../../../../shared/contract/challan.ts';
import { ChallanDetailsDialog, copyDetails, StepButtons } from '../details/challan-details-dialog.tsx';
import type { useChallanDetails } from '../details/use-challan-details.ts';
import { paying, refusalOf } from '../../../kit/api/seat.ts';
import { challans } from '../../../resources/challans.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Checkbox } from '../../../kit/ui/checkbox.tsx';
import { useLockOf } from '../locked.ts';
import { deleteRefusal, editRefusal, type RowCommands } from './row-commands.ts';

interface DetailsDialogProps {
  id: string;
  details: ReturnType<typeof useChallanDetails>;
  commands: RowCommands;
  placeFocus: () => boolean;
}

/** All fields of one challan, with the commands of the list (docs/specification.md §8.1). Loaded when it is first opened. */
export default function DetailsDialog(props: DetailsDialogProps) {
  const { id, details, placeFocus } = props;
  return (
    <ChallanDetailsDialog
      id={id}
      details={details}
      titleOf={(challanNumber) => `Challan ${challanNumber}`}
      placeFocus={placeFocus}
      renderFooter={(challan) => <Footer {...props} challan={challan} />}
    />
  );
}

function Footer(props: DetailsDialogProps & { challan: ListedChallan }) {
  const { challan, commands, details } = props;
  const isPending = commands.isPending(challan);
  const locked = useLockOf()(challan);
  const hsdReason = refusalOf(challans.calls.setHsdVerified) ?? reasonOf(canToggleHsd(challan));
  const actions = useCommands(challanDetailsCommands, {
    ...details.steps,
    edit: { disabledReason: editRefusal(challan), run: () => commands.edit(challan) },
    duplicate: () => commands.duplicate(challan),
    remove: { disabledReason: deleteRefusal(challan) ?? locked, run: () => commands.remove(challan) },
    paid: () => commands.togglePaid(challan),
    hsd: { disabledReason: hsdReason, run: () => commands.toggleHsd(challan) },
    copy: () => void copyDetails(challan),
  });

  return (
    <div className="flex w-full flex-wrap items-center gap-2">
      <ActionButton action={actions.remove} variant="ghost" icon={Trash2}>
        Delete
      </ActionButton>
      <StepButtons previous={actions.previous} next={actions.next} />
      <Checkbox
        className="ml-2"
        label="Paid"
        checked={challan.paymentStatus}
        disabledReason={refusalOf(paying) ?? (isPending ? 'Being saved' : undefined)}
        onCheckedChange={actions.paid.run}
      />
      <Checkbox
        label="HSD verified"
        checked={challan.hsdVerified}
        disabledReason={hsdReason ?? (isPending ? 'Being saved' : undefined)}
        onCheckedChange={actions.hsd.run}
      />
      {locked !== undefined && <span className="text-xs text-muted">{locked}</span>}
      <span className="ml-auto flex flex-wrap gap-2">
        <ActionButton action={actions.copy} variant="ghost" icon={Copy}>
          Copy
        </ActionButton>
        <ActionButton action={actions.duplicate} icon={CopyPlus}>
          Duplicate
        </ActionButton>
        <Button onClick={details.close}>Close</Button>
        <ActionButton action={actions.edit} variant="primary" icon={Pencil}>
          Edit
        </ActionButton>
      </span>
    </div>
  );
}
