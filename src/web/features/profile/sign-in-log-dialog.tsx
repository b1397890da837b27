import { useState } from 'react';
import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { SignIn } from '../../../shared/contract/session.ts';
import { session as calls } from '../../resources/session.ts';
import { QueryFailure } from '../../kit/feedback/failure-alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { EmptyState } from '../../kit/ui/empty-state.tsx';
import { Select } from '../../kit/ui/select-field.tsx';

const resultWords: Readonly<Record<SignIn['result'], string>> = {
  'signed-in': 'Signed in',
  'wrong-password': 'Wrong password',
  inactive: 'Account is deactivated',
  unknown: 'Unknown email',
  'code-wanted': 'Right password, code asked',
  'wrong-code': 'Wrong code',
  'second-step-reset': 'Second step reset by the operator',
};
const headings = ['Time', 'Account', 'Network', 'Result'];

/** Shows an admin the last 200 sign-in attempts of one account or of all accounts (docs/specification.md §5.4). */
export default function SignInLogDialog({ onClose }: { onClose: () => void }) {
  const [accountId, setAccountId] = useState('');
  const query = calls.useSignIns({ query: { accountId } });
  const log = query.data?.data;
  return (
    <Dialog
      title="Sign-in Log"
      description="The last 200 sign-in attempts. They are kept for 90 days."
      size="xl"
      closeOnOutside
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <div className="w-96">
        <Select
          label="Account"
          value={accountId}
          onValueChange={setAccountId}
          options={[
            { value: '', label: 'All accounts' },
            ...(log?.accounts ?? []).map(({ id, email }) => ({ value: id, label: email })),
          ]}
        />
      </div>
      <QueryFailure className="mt-3" query={query} fallback="Failed to fetch the sign-in log" />
      {log?.signIns.length === 0 && <EmptyState title="No sign-in attempts yet" />}
      {log && log.signIns.length > 0 && (
        <table className="nums mt-3 w-full border-collapse text-left" aria-label="Sign-in Log">
          <thead className="text-xs text-muted">
            <tr className="border-b border-line">
              {headings.map((heading) => (
                <th key={heading} scope="col" className="py-1.5 pr-6 font-medium whitespace-nowrap">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {log.signIns.map(({ id, at, email, role, network, result }) => (
              <tr key={id} className="border-b border-line last:border-b-0">
                <td className="py-1.5 pr-6 whitespace-nowrap">{formatDateTime(at)}</td>
                <td className="py-1.5 pr-6 wrap-anywhere">
                  {email ?? '—'}
                  {role === 'admin' && ' (admin)'}
                </td>
                <td className="py-1.5 pr-6 wrap-anywhere">{network}</td>
                <td className={result === 'signed-in' ? 'py-1.5 text-good' : 'py-1.5 text-danger'}>
                  {resultWords[result]}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  );
}
