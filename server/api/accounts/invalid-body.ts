/** A body that a route of the account library would not understand. */
export class InvalidBody extends Error {
  override name = 'InvalidBody';
  readonly statusCode = 400;
  readonly code = 'VALIDATION_ERROR';
}
