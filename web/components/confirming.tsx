import { MessagePage } from './message-page.tsx';
import { Spinner } from './spinner.tsx';
import { SupportLine } from './support-line.tsx';

/** Between the checkout and the provider's word that it was paid. */
export function Confirming({ late, support }: { late: boolean; support: string | null }) {
  return (
    <MessagePage figure="lock-closed" title="Confirming your payment…">
      <Spinner text="This usually takes a second or two." />
      {late && (
        <>
          <p>
            It takes longer than usual. You can stay here or close this page: if the payment went
            through, a receipt with your personal link arrives by e-mail.
          </p>
          <SupportLine email={support} />
        </>
      )}
    </MessagePage>
  );
}
