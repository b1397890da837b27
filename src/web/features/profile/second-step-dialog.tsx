import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { SecondStepSection } from './second-step-section.tsx';

/** The same for an admin, who has no profile. It is opened from the menu of the account. */
export default function SecondStepDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Second Step" size="lg" onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <SecondStepSection />
    </Dialog>
  );
}
