import type { RuntimeConfig } from '../../contract/runtime-config.ts';

const WORDS: Record<RuntimeConfig['payments'], string | null> = {
  sandbox: 'Sandbox: no real money moves',
  'stripe-test': 'Test mode: no real money moves',
  'stripe-live': null,
};

/** Says on every page when payments are not real. */
export function ModeBanner({ payments }: { payments: RuntimeConfig['payments'] }) {
  const words = WORDS[payments];
  if (!words) return null;
  return (
    <aside aria-label="Payment mode" className="mode-banner">
      {words}
    </aside>
  );
}
