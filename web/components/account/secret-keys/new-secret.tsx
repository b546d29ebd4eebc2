import { useEffect, useRef } from 'react';
import { CopyButton } from '../../copy-button.tsx';

interface NewSecretProps {
  name: string;
  secret: string;
  onDone(): void;
}

/** The one moment a key can be read. */
export function NewSecret({ name, secret, onDone }: NewSecretProps) {
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => panel.current?.focus(), []);

  return (
    <div className="rounded-card bg-well p-5" ref={panel} tabIndex={-1}>
      <p className="font-medium break-words">Your new key “{name}”</p>
      <p className="mt-1.5 text-sm text-muted">
        Copy it now: it is not shown again. Whoever has it can change and delete your links.
      </p>
      <code className="mt-4 block text-sm break-all select-all">{secret}</code>
      <div className="mt-4 flex flex-wrap gap-3">
        <CopyButton of={`the key ${name}`} text={secret} />
        <button className="button button-secondary button-small" onClick={onDone} type="button">
          I have stored it
        </button>
      </div>
    </div>
  );
}
