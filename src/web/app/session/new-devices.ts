import { formatDateTime } from '../../../shared/calc/dates.ts';
import type { NewDevices } from '../../../shared/contract/session.ts';
import { notify } from '../../kit/feedback/toast.ts';

/** Says which devices signed in for the first time since this one did last. Messages are shown by the layout, which comes first. */
export function tellNewDevices(devices: NonNullable<NewDevices>): void {
  const text = devices.map(({ name, network, at }) => `${name}, ${formatDateTime(at)}, from ${network}`).join('; ');
  const tell = (tries: number): void => {
    if (document.querySelector('#main')) notify.warning(`New device since your last visit: ${text}`);
    else if (tries > 0) setTimeout(() => tell(tries - 1), 200);
  };
  tell(50);
}
