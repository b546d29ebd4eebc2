/**
 * Runs in the head, before a page is revealed: a cross-fade that the browser gives up, because the
 * next page was already painted or left again, is no error to tell of. Written into the document as
 * text: it may refer to nothing outside itself.
 */
function quietTransitions() {
  const quiet = (event: PageRevealEvent | PageSwapEvent) => {
    event.viewTransition?.ready.catch(() => {});
    event.viewTransition?.finished.catch(() => {});
  };
  addEventListener('pagereveal', quiet);
  addEventListener('pageswap', quiet);
}

/** The server allows it by its hash. */
export const TRANSITIONS_SCRIPT = `(${quietTransitions})()`;
