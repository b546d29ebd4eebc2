/**
 * A form sent before React is here goes the browser's own way, and its button says so as the
 * hydrated one would. Until the browser comes back to the page, React has to stay away.
 */
export class EarlySubmit {
  #button: HTMLButtonElement | null = null;
  #label = '';

  /** @param onReturn called when the page is shown again from the browser's history. */
  constructor(onReturn: () => void) {
    addEventListener('submit', (event) => this.#markBusy(event));
    addEventListener('pageshow', (event) => {
      if (!event.persisted || !this.#button) return;
      this.#button.textContent = this.#label;
      this.#button.disabled = false;
      this.#button = null;
      onReturn();
    });
  }

  get sent(): boolean {
    return this.#button !== null;
  }

  #markBusy({ defaultPrevented, submitter }: SubmitEvent) {
    if (defaultPrevented || !(submitter instanceof HTMLButtonElement)) return;
    const busyLabel = submitter.dataset.busyLabel;
    if (!busyLabel) return;
    this.#button = submitter;
    this.#label = submitter.textContent;
    submitter.textContent = busyLabel;
    // A form disabled while it is being sent might not be sent.
    setTimeout(() => {
      submitter.disabled = true;
    });
  }
}
