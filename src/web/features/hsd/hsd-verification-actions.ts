import { useKeyHelp, type KeyTable } from '../../kit/ui/key-table.ts';
import { hsdVerification } from '../../resources/hsd-verification.ts';
import { useActions, useActionTable } from '../../kit/actions/registry.ts';

/** The commands of HSD verification as data (docs/keyboard.md §9). */
const scope = 'HSD Verification';

interface HsdCommands {
  choose: () => void;
  chooseReason: string | undefined;
  /** Alt+PgUp and Alt+PgDn move between the three tabs. */
  previousTab: () => void;
  previousReason: string | undefined;
  nextTab: () => void;
  nextReason: string | undefined;
  startNew: () => void;
  startNewReason: string | undefined;
}

export function useHsdActions(commands: HsdCommands) {
  return useActionTable(scope, {
    choose: {
      id: 'hsd.choose',
      label: 'Choose a file to verify',
      words: 'upload hsd pump csv excel',
      calls: hsdVerification.calls.upload,
      disabledReason: commands.chooseReason,
      run: commands.choose,
    },
    startNew: {
      id: 'hsd.new',
      label: 'Start New Verification',
      keys: 'N',
      words: 'reset upload',
      disabledReason: commands.startNewReason,
      run: commands.startNew,
    },
    previousTab: {
      id: 'hsd.previous-tab',
      label: 'Previous tab',
      keys: 'Alt+PgUp',
      inPalette: false,
      disabledReason: commands.previousReason,
      run: commands.previousTab,
    },
    nextTab: {
      id: 'hsd.next-tab',
      label: 'Next tab',
      keys: 'Alt+PgDn',
      inPalette: false,
      disabledReason: commands.nextReason,
      run: commands.nextTab,
    },
  });
}

/** Keys of the Upload File tab that the browser handles: Enter on the button, and a paste. Listed for the help. */
export const uploadKeys = {
  choose: { keys: 'Enter', label: 'Choose a file', by: 'browser' },
  paste: { keys: 'Ctrl+V', label: 'Paste a file', by: 'browser' },
} as const satisfies KeyTable;

/** Active while the Upload File tab is open. `cancel` is given only while a file is uploading. */
export function useHsdUploadActions(cancel: (() => void) | undefined): void {
  useKeyHelp('File to verify', uploadKeys);
  useActions(cancel ? [{ id: 'hsd.cancel', label: 'Cancel the upload', keys: 'Esc', scope, run: cancel }] : []);
}

/** Active while the user chooses the columns of a file. */
export function useHsdColumnsActions(commands: {
  compare: () => void;
  compareReason: string | undefined;
  cancel: () => void;
}) {
  return useActionTable(scope, {
    compare: {
      id: 'hsd.compare',
      label: 'Compare the file',
      keys: 'Ctrl+Enter',
      calls: hsdVerification.calls.upload,
      disabledReason: commands.compareReason,
      run: commands.compare,
    },
    cancel: { id: 'hsd.other-file', label: 'Another file', keys: 'Esc', run: commands.cancel },
  });
}

/** Active while mismatches or TP numbers that were not found are shown. */
export function useHsdAcceptActions(commands: { accept: () => void; acceptReason: string | undefined }) {
  return useActionTable(scope, {
    accept: {
      id: 'hsd.accept',
      label: 'Accept with reason …',
      keys: 'A',
      words: 'near match mismatch tolerance',
      calls: hsdVerification.calls.accept,
      disabledReason: commands.acceptReason,
      run: commands.accept,
    },
  });
}

/** Active while the results of a bill are shown. */
export function useHsdSheetActions(commands: {
  download: (format: 'xlsx' | 'pdf') => void;
  isRunning: boolean;
  cancel: () => void;
}) {
  const { download, isRunning, cancel } = commands;
  return useActionTable(scope, {
    sheet: {
      id: 'hsd.discrepancies',
      label: isRunning ? 'Cancel the download' : 'Discrepancy sheet',
      keys: 'D',
      words: 'excel xlsx pump disputed',
      run: () => (isRunning ? cancel() : download('xlsx')),
    },
    pdf: {
      id: 'hsd.discrepancies-pdf',
      label: 'Discrepancies as PDF',
      keys: 'Shift+D',
      words: 'print pump disputed',
      disabledReason: isRunning ? 'A file is being downloaded' : undefined,
      run: () => download('pdf'),
    },
  });
}

interface HsdResultCommands {
  /** 'Verify 3 selected' or 'Verify all 42' (docs/specification.md §11.1). */
  verifyLabel: string;
  verify: () => void;
  verifyReason: string | undefined;
  selectAll: () => void;
  selectReason: string | undefined;
  clear: () => void;
  hasSelection: boolean;
}

/** Active while the valid matches are shown. */
export function useHsdResultActions(commands: HsdResultCommands) {
  return useActionTable(scope, {
    verify: {
      id: 'hsd.verify',
      label: commands.verifyLabel,
      keys: 'Ctrl+Enter',
      calls: hsdVerification.calls.verify,
      disabledReason: commands.verifyReason,
      run: commands.verify,
    },
    selectAll: {
      id: 'hsd.select-all',
      label: 'Select all valid matches',
      keys: 'Ctrl+A',
      notWhileTyping: true,
      disabledReason: commands.selectReason,
      run: commands.selectAll,
    },
    clear: {
      id: 'hsd.clear',
      label: 'Clear Selection',
      // Without a selection Escape is left alone: there is nothing to clear.
      keys: commands.hasSelection ? 'Esc' : undefined,
      notWhileTyping: true,
      disabledReason: commands.hasSelection ? undefined : 'Nothing is selected',
      run: commands.clear,
    },
  });
}
