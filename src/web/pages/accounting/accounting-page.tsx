import { AuthenticationRequired } from '../../shell/authentication-required.tsx';
import { useSession } from '../../shell/session.ts';
import { AccountingList } from './accounting-list.tsx';

/** /accounting (part 2 §2.3). */
export function AccountingPage() {
  if (!useSession()) {
    return (
      <AuthenticationRequired title="Accounting Management" text="Please log in to access accounting management." />
    );
  }
  return <AccountingList />;
}
