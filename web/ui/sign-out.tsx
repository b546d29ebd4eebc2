import { say } from '../languages/say.ts';

/** Ends the session, without JavaScript too. */
export function SignOut() {
  return (
    <form action="/logout" method="post">
      <button className="button button-secondary button-small whitespace-nowrap" type="submit">
        {say('Sign Out')}
      </button>
    </form>
  );
}
