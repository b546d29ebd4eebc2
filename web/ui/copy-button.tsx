import { useEffect, useState } from 'react';
import { say } from '../languages/say.ts';
import { useHydrated } from '../lib/use-hydrated.ts';
import { CheckIcon, CopyIcon } from './icons.tsx';

const CONFIRMATION_MS = 2500;

interface CopyButtonProps {
  text: string;
  /** Names what is copied for those who cannot see it. */
  of: string;
  /** Whether it is the page's primary action now. */
  primary?: boolean;
}

/** Copies, and says so to eyes and ears. */
export function CopyButton({ text, of, primary = false }: CopyButtonProps) {
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
    <>
      <button
        className={`button button-small ${primary ? 'button-primary' : 'button-secondary'}`}
        disabled={!hydrated}
        onClick={copy}
        type="button"
      >
        {result === 'Copied' ? <CheckIcon className="size-4" /> : <CopyIcon className="size-4" />}
        <span>{say(result ?? 'Copy')}</span>
        <span className="sr-only">{of}</span>
      </button>
      {/* Beside the button: what changes inside of one is not read out. */}
      <span aria-live="polite" className="sr-only">
        {result && `${say(result)}: ${of}`}
      </span>
    </>
  );
}

/** Puts text on the clipboard; also over plain http, where the clipboard interface is missing. */
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
  }
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const copied = document.execCommand('copy');
  area.remove();
  return copied;
}
