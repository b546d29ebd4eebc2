/** What the account adapter needs of the product's log (pino's order of arguments). */
export interface AuthLog {
  debug?(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
