import { useEffect, useState } from 'react';
import { copyText } from '../data/copy-text.ts';
import { useHydrated } from '../data/use-hydrated.ts';
import { CheckIcon, CopyIcon } from './icons.tsx';

const CONFIRMATION_MS = 2500;

/** Copies and says so. `of` names what is copied for those who cannot see it. */
export function CopyButton({ text, of }: { text: string; of: string }) {
  const [result, setResult] = useState<'Copied' | 'Not copied' | null>(null);
  const hydrated = useHydrated();
  useEffect(() => {
    if (!result) return;
    const timer = setTimeout(() => setResult(null), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [result]);

  async function copy() {
    setResult((await copyText(text)) ? 'Copied' : 'Not copied');
  }

  return (
    <button
      className="button button-secondary button-small"
      disabled={!hydrated}
      onClick={copy}
      type="button"
    >
      {result === 'Copied' ? <CheckIcon className="size-4" /> : <CopyIcon className="size-4" />}
      <span aria-live="polite">{result ?? 'Copy'}</span>
      <span className="sr-only">{of}</span>
    </button>
  );
}
