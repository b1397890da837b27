/** What other features use of the profile. */
export { OwnNameDialog } from './own-name-dialog.tsx';
