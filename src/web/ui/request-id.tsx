import { useState } from 'react';
import { Check, Copy } from 'lucide-react';

/** The number to quote when asking about an error, with a way to copy it. */
export function RequestId({ id }: { id: string | undefined }) {
  const [isCopied, setCopied] = useState(false);
  if (id === undefined) return null;
  const Icon = isCopied ? Check : Copy;
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(id);
      setCopied(true);
    } catch {
      // Refused: the number can still be selected.
    }
  };
  return (
    <span className="flex items-center gap-1 text-xs text-muted">
      <span className="wrap-anywhere select-text">Request {id}</span>
      <button
        type="button"
        aria-label={isCopied ? 'Request number copied' : 'Copy request number'}
        title="Copy request number"
        className="grid size-5 shrink-0 place-items-center rounded hover:bg-hover hover:text-ink"
        onClick={() => void copy()}
      >
        <Icon size={12} aria-hidden />
      </button>
    </span>
  );
}
