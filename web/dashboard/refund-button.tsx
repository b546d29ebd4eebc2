import { type ComponentType, useState } from 'react';
import { useHydrated } from '../lib/use-hydrated.ts';
import { Alert } from '../ui/alert.tsx';
import type { RefundDialogProps } from './refund-dialog.tsx';

/** The button that loads and opens the dialog: few sales are refunded. */
export function RefundButton(props: Omit<RefundDialogProps, 'onClose'>) {
  const [Shown, show] = useState<ComponentType<RefundDialogProps> | null>(null);
  const [failure, setFailure] = useState('');
  const hydrated = useHydrated();

  async function open() {
    setFailure('');
    try {
      const { RefundDialog } = await import('./refund-dialog.tsx');
      show(() => RefundDialog);
    } catch {
      setFailure('This could not be loaded. Please try again.');
    }
  }

  return (
    <div>
      <button
        aria-label={`Refund: ${props.name}`}
        className="button button-secondary button-small"
        disabled={!hydrated}
        onClick={open}
        type="button"
      >
        Refund
      </button>
      {failure && <Alert>{failure}</Alert>}
      {Shown && <Shown {...props} onClose={() => show(null)} />}
    </div>
  );
}
