/** What other features use of the profile. */
export { OwnNameDialog } from './own-name-dialog.tsx';
export { SecondStepSetUp } from './second-step-set-up.tsx';
