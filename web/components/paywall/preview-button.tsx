import { useState } from 'react';
import type { PageContext } from '../../page.ts';

/** Looks like the buyer's button and says what it does not do, also without JavaScript. */
export function PreviewButton({ id, query }: { id: string } & Pick<PageContext, 'query'>) {
  const [pressed, setPressed] = useState(query.pressed !== undefined);
  return (
    <form
      action={`/p/${id}`}
      onSubmit={(event) => {
        event.preventDefault();
        setPressed(true);
      }}
    >
      <input name="preview" type="hidden" value="buyer" />
      <button
        className="button button-primary w-full text-lg"
        name="pressed"
        type="submit"
        value="yes"
      >
        Unlock Now
      </button>
      <p className={pressed ? 'mt-3 text-sm' : ''} role="status">
        {pressed && 'This is a preview: a buyer would go to the checkout now.'}
      </p>
    </form>
  );
}
