import { say } from '../../languages/say.ts';
import { useHydrated } from '../../lib/use-hydrated.ts';
import { useOnDemand } from '../../lib/use-on-demand.ts';
import { Alert } from '../../ui/alert.tsx';
import type { RefundDialogProps } from './refund-dialog.tsx';

/** Few sales are refunded. */
export const loadRefundDialog = () =>
  import('./refund-dialog.tsx').then(({ RefundDialog }) => RefundDialog);

/** The button that loads and opens the dialog. */
export function RefundButton(props: Omit<RefundDialogProps, 'onClose'>) {
  const { Shown, failure, open, close } = useOnDemand(loadRefundDialog);
  const hydrated = useHydrated();
  return (
    <div>
      <button
        aria-label={say('Refund: {name}', { name: props.name })}
        className="button button-secondary button-small"
        disabled={!hydrated}
        onClick={open}
        type="button"
      >
        {say('Refund')}
      </button>
      {failure && <Alert>{failure}</Alert>}
      {Shown && <Shown {...props} onClose={close} />}
    </div>
  );
}
