import { type ComponentType, useState } from 'react';
import { say } from '../languages/say.ts';

/**
 * A part of the page that is loaded when it is opened, since few visits need it.
 * @returns the part while it is open, and what to say where it could not be loaded
 */
export function useOnDemand<Props>(load: () => Promise<ComponentType<Props>>) {
  const [Shown, show] = useState<ComponentType<Props> | null>(null);
  const [failure, setFailure] = useState('');

  async function open() {
    setFailure('');
    try {
      const Loaded = await load();
      show(() => Loaded);
    } catch {
      // A browser asks only once for a module; after an upgrade, it may be gone for good.
      setFailure(say('This could not be loaded. Please reload the page and try again.'));
    }
  }

  return { Shown, failure, open, close: () => show(null) };
}
