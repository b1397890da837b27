import { Link } from 'react-router-dom';
import { formatDate } from '../../../shared/calc/dates.ts';
import { owners } from '../../api/resources.ts';
import { usePreference } from '../../session/account-storage.ts';
import { Alert } from '../../ui/alert.tsx';

/**
 * Says that other businesses copied owners of this one (docs/specification.md §6.4). Closed, it stays away until another
 * one is copied. While it loads, or when it cannot be loaded, there is no notice: the figures below do not depend on it.
 */
export function CopiedNotice() {
  const [seenAt, setSeenAt] = usePreference<string>('copied-notice-seen', '');
  const { data } = owners.useGetCopiedByOthers({});
  if (!data) return null;
  const { count, lastAt, owners: named } = data.data;
  if (lastAt === null || lastAt <= seenAt) return null;
  const what = count === 1 ? '1 of your owners was' : `${count.toLocaleString('en-IN')} of your owners were`;
  return (
    <Alert
      tone="info"
      title={`${what} copied by other businesses in the last 30 days, the last on ${formatDate(lastAt)}`}
      onClose={() => setSeenAt(lastAt)}
    >
      They copied name, phone, account number, PAN and trucks; nothing of yours changed.{' '}
      {named.map(({ id, name }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Link className="underline" to={`/owners?open=${id}`}>
            {name}
          </Link>
        </span>
      ))}
      {count > named.length && ` and ${(count - named.length).toLocaleString('en-IN')} more`}.
    </Alert>
  );
}
