import { useContext, useEffect, useRef } from 'react';
import { ChevronDown, ChevronUp, Copy, CopyPlus, Pencil, Trash2 } from 'lucide-react';
import { buttonOf, type Action } from '../../actions/registry.ts';
import { useChallanDetailsActions, type ChallanDetailsCommands } from '../../actions/challan-list.ts';
import { canDeleteChallan, canToggleHsd, reasonOf } from '../../../shared/access.ts';
import type { Challan } from '../../../shared/contract/challan.ts';
import { errorText, isApiError } from '../../api/api-error.ts';
import { challans } from '../../api/resources.ts';
import { notify } from '../../shell/toast.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { DialogContext, topDialog } from '../../ui/dialog-stack.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { detailsText } from './challan-details.ts';
import { DetailsContent } from './details-content.tsx';
import type { RowCommands } from './use-row-commands.ts';

interface DetailsDialogProps {
  id: string;
  /** The row as the list shows it: there at once, while the full answer is on its way. */
  row: Challan | undefined;
  commands: RowCommands;
  /** 'Challan 3 of 10 on this page' */
  position: string | undefined;
  onStep: (step: 1 | -1) => void;
  /** Why there is no further one that way. */
  atFirst: string | undefined;
  atLast: string | undefined;
  onClose: () => void;
  placeFocus: () => boolean;
}

/** All fields of one challan (part 2 §2.1); the list stays behind it, and can be walked without closing. */
export function DetailsDialog(props: DetailsDialogProps) {
  const { id, row, onClose, placeFocus, position } = props;
  const query = challans.useGet({ params: { id } });
  const fields = useRef<HTMLDivElement>(null);
  const challan = query.data?.data ?? row;
  const isGone = isApiError(query.error, 'NOT_FOUND');
  return (
    <Dialog
      open
      size="xl"
      closeOnOutside
      title={challan && !isGone ? `Challan ${challan.challanNumber}` : 'Challan'}
      description={position}
      onClose={onClose}
      initialFocus={fields}
      placeFocus={placeFocus}
      footer={challan && !isGone ? <Footer {...props} challan={challan} /> : <Button onClick={onClose}>Close</Button>}
    >
      {query.error && (
        <Alert
          className="mb-4"
          title={isGone ? 'Challan not found' : errorText(query.error, 'Failed to fetch challans')}
          actions={
            isGone ? undefined : (
              <Button size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
                Retry
              </Button>
            )
          }
        >
          {isGone
            ? 'It may have been deleted.'
            : challan && 'Shown is what the list had loaded before; it may have changed since.'}
        </Alert>
      )}
      {challan && !isGone && <DetailsContent challan={challan} ref={fields} />}
      {!challan && !query.error && (
        <div className="grid min-h-60 place-items-center">
          <Spinner label="Loading challan" />
        </div>
      )}
    </Dialog>
  );
}

function Footer({ challan, commands, onStep, atFirst, atLast }: DetailsDialogProps & { challan: Challan }) {
  const isPending = commands.isPending(challan);
  const own: ChallanDetailsCommands = {
    previous: () => onStep(-1),
    next: () => onStep(1),
    atFirst,
    atLast,
    edit: () => commands.edit(challan),
    duplicate: () => commands.duplicate(challan),
    remove: () => commands.remove(challan),
    deleteReason: reasonOf(canDeleteChallan(challan)),
    togglePaid: () => commands.togglePaid(challan),
    toggleHsd: () => commands.toggleHsd(challan),
    hsdReason: reasonOf(canToggleHsd(challan)),
    copy: () => copyDetails(challan),
  };
  const actions = useChallanDetailsActions(own);
  useCopyKey(own.copy);
  const iconOf = (action: Action) => ({ ...buttonOf(action), label: action.label });

  return (
    <div className="flex w-full flex-wrap items-center gap-2">
      <span className="flex gap-1">
        <IconButton {...iconOf(actions.previous)} icon={<ChevronUp size={16} aria-hidden />} />
        <IconButton {...iconOf(actions.next)} icon={<ChevronDown size={16} aria-hidden />} />
      </span>
      <Checkbox
        className="ml-2"
        label="Paid"
        checked={challan.paymentStatus}
        disabledReason={isPending ? 'Being saved' : undefined}
        onCheckedChange={own.togglePaid}
      />
      <Checkbox
        label="HSD verified"
        checked={challan.hsdVerified}
        disabledReason={own.hsdReason ?? (isPending ? 'Being saved' : undefined)}
        onCheckedChange={own.toggleHsd}
      />
      <span className="ml-auto flex flex-wrap gap-2">
        <Button variant="ghost" icon={<Copy size={14} aria-hidden />} {...buttonOf(actions.copy)}>
          Copy
        </Button>
        <Button variant="ghost" icon={<Trash2 size={14} aria-hidden />} {...buttonOf(actions.remove)}>
          Delete
        </Button>
        <Button icon={<CopyPlus size={14} aria-hidden />} {...buttonOf(actions.duplicate)}>
          Duplicate
        </Button>
        <Button variant="primary" icon={<Pencil size={14} aria-hidden />} {...buttonOf(actions.edit)}>
          Edit
        </Button>
      </span>
    </div>
  );
}

function copyDetails(challan: Challan): void {
  // Only a secure address has a clipboard at all.
  const written = navigator.clipboard?.writeText(detailsText(challan)) ?? Promise.reject(new Error('no clipboard'));
  written.then(
    () => notify.success(`Challan ${challan.challanNumber} copied as text`),
    () => notify.error('The browser did not allow copying'),
  );
}

/** Ctrl+C copies everything, unless text is marked: then it is the browser's own. */
function useCopyKey(copy: () => void): void {
  const dialog = useContext(DialogContext);
  const latest = useRef(copy);
  useEffect(() => {
    latest.current = copy;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isCopy = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.code === 'KeyC';
      if (!isCopy || event.defaultPrevented || topDialog() !== dialog) return;
      if ((window.getSelection()?.toString() ?? '') !== '') return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [dialog]);
}
