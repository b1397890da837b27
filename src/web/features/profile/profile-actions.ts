import { profile } from '../../resources/profile.ts';
import { commandTable } from '../../kit/actions/registry.ts';

/** The commands of the profile screen as data (docs/keyboard.md §10). The edit form has its own commands below. */
export const profileCommands = commandTable('My Profile', {
  edit: {
    id: 'profile.edit',
    label: 'Edit Profile',
    keys: ['E', 'F2'],
    words: 'change company gst contact address',
    calls: profile.calls.update,
  },
  changePassword: { id: 'profile.change-password', label: 'Change Password', keys: 'P' },
  ownName: { id: 'profile.own-name', label: 'Your Name', words: 'person data entry by' },
  history: { id: 'profile.history', label: 'History', keys: 'H', words: 'changes who when tds settings' },
  takeOut: {
    id: 'profile.take-out',
    label: 'Export All Data',
    words: 'download take out archive zip csv backup everything',
    calls: profile.calls.takeOut,
  },
  endOthers: { id: 'profile.end-others', label: 'Sign out everywhere else', words: 'sessions devices logout' },
});

export const profileFormCommands = commandTable('Edit Profile', {
  save: { id: 'profile.save', label: 'Save Changes', keys: ['Ctrl+Enter', 'Ctrl+S'] },
  cancel: { id: 'profile.cancel', label: 'Cancel', keys: 'Esc' },
});
