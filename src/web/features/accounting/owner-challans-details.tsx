import { Copy, Pencil } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import type { ListedChallan } from '../../../shared/contract/challan.ts';
import { ownerChallanDetailsCommands } from './owner-challans-actions.ts';
import { useCommands } from '../../kit/actions/registry.ts';
import { ActionButton } from '../../kit/actions/action-button.tsx';
import { ChallanDetailsDialog, copyDetails, StepButtons, type useChallanDetails } from '../challans/index.ts';
import { Button } from '../../kit/ui/button.tsx';

interface DetailsDialogProps {
  id: string;
  details: ReturnType<typeof useChallanDetails>;
  placeFocus: () => boolean;
}

const options = { onlyGiven: true };

/** 'Challan Details - {number}' (docs/specification.md §9.2). The dialog is loaded when it is first needed. */
export default function DetailsDialog({ id, details, placeFocus }: DetailsDialogProps) {
  return (
    <ChallanDetailsDialog
      {...options}
      id={id}
      details={details}
      titleOf={(challanNumber) => `Challan Details - ${challanNumber}`}
      placeFocus={placeFocus}
      renderFooter={(challan) => <Footer challan={challan} details={details} />}
    />
  );
}

function Footer({ challan, details }: Pick<DetailsDialogProps, 'details'> & { challan: ListedChallan }) {
  const navigate = useNavigate();
  const copy = (): void => void copyDetails(challan, options);
  const actions = useCommands(ownerChallanDetailsCommands, {
    ...details.steps,
    edit: () => void navigate(`/challans/edit/${challan.id}`),
    copy,
  });
  return (
    <div className="flex w-full flex-wrap items-center gap-2">
      <StepButtons previous={actions.previous} next={actions.next} />
      <span className="ml-auto flex flex-wrap gap-2">
        <ActionButton action={actions.copy} variant="ghost" icon={Copy}>
          Copy
        </ActionButton>
        <Button onClick={details.close}>Close</Button>
        <ActionButton action={actions.edit} variant="primary" icon={Pencil}>
          Edit
        </ActionButton>
      </span>
    </div>
  );
}
