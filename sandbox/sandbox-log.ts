/** Where the sandbox says what happens to it; the product's pino logger fits. */
export interface SandboxLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
