import { say } from '../../languages/say.ts';
import type { PageContext } from '../../page.ts';

/** Takes this browser's purchases from it. Asks once, and offers to send the receipts first. */
export function ForgetBrowser({ query }: Pick<PageContext, 'query'>) {
  if (query.forget !== 'ask') {
    return (
      <p>
        <a
          className="text-link inline-flex min-h-11 items-center text-sm text-muted"
          href="/purchases?forget=ask#forget"
        >
          {say('Forget this browser')}
        </a>
      </p>
    );
  }
  return (
    <section aria-labelledby="forget" className="card px-6 py-5">
      <h2 className="text-xl" id="forget">
        {say('Forget this browser?')}
      </h2>
      <p className="mt-2 text-muted">
        {say(
          'This browser will no longer open what was bought in it, unless the account you are signed in to bought it. Nothing is refunded or deleted: the personal link in each receipt still opens your purchase, and you can find all of them by email. Only what was free is lost.',
        )}
      </p>
      {query.sent === 'all' && (
        <p className="mt-3 font-medium" role="status">
          {say('The receipts are on their way. Please check your inbox before you go on.')}
        </p>
      )}
      <div className="mt-5 flex flex-wrap gap-3">
        <form action="/purchases/forget" method="post">
          <button
            className="button button-danger button-small"
            data-busy-label={say('Forgetting...')}
            type="submit"
          >
            {say('Forget this browser')}
          </button>
        </form>
        {query.sent !== 'all' && (
          <form action="/purchases/receipts?forget=ask" method="post">
            <button
              className="button button-secondary button-small"
              data-busy-label={say('Sending...')}
              type="submit"
            >
              {say('Send the receipts first')}
            </button>
          </form>
        )}
        <a className="button button-secondary button-small" href="/purchases">
          {say('Keep it')}
        </a>
      </div>
    </section>
  );
}
