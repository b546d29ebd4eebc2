/**
 * Runs in the head: a cross-fade that the browser gives up by itself, because the next page was
 * shown already, rejects a promise that no script can reach. That is no error to tell of. Written
 * into the document as text: it may refer to nothing outside itself.
 */
function quietTransitions() {
  addEventListener('unhandledrejection', (event) => {
    const { reason } = event;
    const isTransition = reason instanceof DOMException && /^Transition was /.test(reason.message);
    if (isTransition) event.preventDefault();
  });
}

/** The server allows it by its hash. */
export const TRANSITIONS_SCRIPT = `(${quietTransitions})()`;
