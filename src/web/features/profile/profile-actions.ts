import { profile } from '../../resources/profile.ts';
import { useActionTable } from '../../kit/actions/registry.ts';

const scope = 'My Profile';

interface ProfileCommands {
  edit: () => void;
  changePassword: () => void;
  ownName: () => void;
  history: () => void;
  takeOut: () => void;
  endOthers: () => void;
  endOthersReason: string | undefined;
}

/** The commands of the profile screen as data (docs/keyboard.md §10). The edit form has its own commands below. */
export function useProfileActions(commands: ProfileCommands) {
  return useActionTable(scope, {
    edit: {
      id: 'profile.edit',
      label: 'Edit Profile',
      keys: ['E', 'F2'],
      words: 'change company gst contact address',
      calls: profile.calls.update,
      run: commands.edit,
    },
    changePassword: {
      id: 'profile.change-password',
      label: 'Change Password',
      keys: 'P',
      run: commands.changePassword,
    },
    ownName: {
      id: 'profile.own-name',
      label: 'Your Name',
      words: 'person data entry by',
      run: commands.ownName,
    },
    history: {
      id: 'profile.history',
      label: 'History',
      keys: 'H',
      words: 'changes who when tds settings',
      run: commands.history,
    },
    takeOut: {
      id: 'profile.take-out',
      label: 'Export All Data',
      words: 'download take out archive zip csv backup everything',
      calls: profile.calls.takeOut,
      run: commands.takeOut,
    },
    endOthers: {
      id: 'profile.end-others',
      label: 'Sign out everywhere else',
      words: 'sessions devices logout',
      disabledReason: commands.endOthersReason,
      run: commands.endOthers,
    },
  });
}

export function useProfileFormActions(commands: { save: () => void; cancel: () => void }) {
  return useActionTable('Edit Profile', {
    save: {
      id: 'profile.save',
      label: 'Save Changes',
      keys: ['Ctrl+Enter', 'Ctrl+S'],
      run: commands.save,
    },
    cancel: { id: 'profile.cancel', label: 'Cancel', keys: 'Esc', run: commands.cancel },
  });
}
