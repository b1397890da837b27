import type { Action } from '../../kit/actions/registry.ts';
import { challans } from '../../resources/challans.ts';

/** The functions behind the challan form's commands. Keys, buttons, palette and help all read the list of actions below. */
interface ChallanFormCommands {
  mode: 'create' | 'edit';
  save: () => void;
  clear: () => void;
  cancel: () => void;
  nextError: () => void;
  hasErrors: boolean;
  goToSection: (step: 1 | -1) => void;
  goToLoadingDate: () => void;
  copyFromLast: () => void;
  createTruck: () => void;
  openHistory: () => void;
  chooseStops: () => void;
  isVehicleUnknown: boolean;
  duplicate: { saveAnyway: () => void } | undefined;
  isSending: boolean;
}

const scope = 'Challan form';

interface ChallanFormActions {
  save: Action;
  clear: Action;
  cancel: Action;
  saveAnyway: Action;
  /** The history of the challan that is being edited. */
  history: Action;
  /** Where Enter stops in a new challan. */
  stops: Action;
  all: Action[];
}

export function challanFormActions(commands: ChallanFormCommands): ChallanFormActions {
  const isNew = commands.mode === 'create';
  const save: Action = {
    id: 'challan-form.save',
    label: isNew ? 'Create Challan' : 'Update Challan',
    keys: ['Ctrl+S', 'Ctrl+Enter'],
    words: 'save submit',
    // While possible duplicates are shown, pressing the key again means "Save anyway".
    run: commands.duplicate?.saveAnyway ?? commands.save,
    calls: challans.calls[isNew ? 'create' : 'update'],
    scope,
  };
  const clear: Action = {
    id: 'challan-form.clear',
    label: 'Clear Form',
    keys: 'Ctrl+Shift+L',
    run: commands.clear,
    disabledReason: commands.isSending ? 'The challan is being saved.' : undefined,
    scope,
  };
  const cancel: Action = { id: 'challan-form.cancel', label: 'Cancel', keys: 'Esc', run: commands.cancel, scope };
  const saveAnyway: Action = {
    id: 'challan-form.save-anyway',
    label: 'Save anyway',
    keys: ['Ctrl+S', 'Ctrl+Enter'],
    run: () => commands.duplicate?.saveAnyway(),
    scope,
  };
  const navigation: Action[] = [
    {
      id: 'challan-form.next-error',
      label: 'Next error',
      keys: 'F8',
      run: commands.nextError,
      disabledReason: commands.hasErrors ? undefined : 'No field has an error.',
      scope,
    },
    {
      id: 'challan-form.next-section',
      label: 'Next section',
      keys: 'Alt+PgDn',
      run: () => commands.goToSection(1),
      scope,
    },
    {
      id: 'challan-form.previous-section',
      label: 'Previous section',
      keys: 'Alt+PgUp',
      run: () => commands.goToSection(-1),
      scope,
    },
    {
      id: 'challan-form.loading-date',
      label: 'Go to Loading Date',
      keys: 'F2',
      run: commands.goToLoadingDate,
      scope,
    },
  ];
  const copy: Action = {
    id: 'challan-form.copy-last',
    label: 'Copy this field from the last challan',
    keys: "Ctrl+'",
    run: commands.copyFromLast,
    inPalette: false,
    scope,
  };
  const createTruck: Action = {
    id: 'challan-form.create-truck',
    label: 'Create truck',
    keys: 'Alt+C',
    run: commands.createTruck,
    disabledReason: commands.isVehicleUnknown ? undefined : 'The vehicle number is empty, or its truck exists already.',
    scope,
  };
  const history: Action = {
    id: 'challan-form.history',
    label: 'History',
    words: 'changes who when log',
    run: commands.openHistory,
    scope,
  };
  const stops: Action = {
    id: 'challan-form.stops',
    label: 'Enter stops …',
    words: 'skip remembered fields setting',
    run: commands.chooseStops,
    scope,
  };
  return {
    save,
    clear,
    cancel,
    saveAnyway,
    history,
    stops,
    all: [
      ...(commands.duplicate ? [saveAnyway] : []),
      save,
      clear,
      cancel,
      ...navigation,
      ...(isNew ? [copy, stops] : [history]),
      createTruck,
    ].map((action) => (navigation.includes(action) ? { ...action, inPalette: false } : action)),
  };
}
