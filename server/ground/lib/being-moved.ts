import { DomainError } from './domain-error.ts';

/** Everything can be read, and nothing written, while all of it is taken to another place. */
export class BeingMovedError extends DomainError {
  constructor(options?: ErrorOptions) {
    super(
      'UNAVAILABLE',
      'This site is being moved to another server, so nothing can be saved for a few minutes. Nothing was changed, and nothing was charged. Please try again later.',
      options,
    );
  }
}
