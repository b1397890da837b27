import { useEffect, useRef, useState } from 'react';
import { Copy } from 'lucide-react';
import { Alert } from '../../kit/ui/alert.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { copyRefused, copyText } from '../../kit/ui/copy-text.ts';

/** The recovery codes, which are shown only now: the server keeps their hashes. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [copied, setCopied] = useState('');
  const copyButton = useRef<HTMLButtonElement>(null);
  useEffect(() => copyButton.current?.focus(), []);
  const copy = (): void => {
    copyText(codes.join('\n')).then(
      () => setCopied('Copied'),
      () => setCopied(copyRefused),
    );
  };
  return (
    <div className="grid gap-3">
      <Alert tone="warn" title="Keep these recovery codes where you find them without your phone">
        Each works once in place of a code of the app. They are shown only now.
      </Alert>
      <ul className="grid gap-x-8 gap-y-1 font-mono select-text sm:grid-cols-2" aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <Button ref={copyButton} icon={<Copy size={14} aria-hidden />} onClick={copy}>
          Copy
        </Button>
        <Button variant="primary" onClick={onDone}>
          I Have Kept Them
        </Button>
        <span role="status" className="text-muted">
          {copied}
        </span>
      </div>
    </div>
  );
}
