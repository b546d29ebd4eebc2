/** Whether something could be an e-mail address; only a mail sent there could tell for sure. */
export function isEmailAddress(given: string): boolean {
  return given.length <= 254 && /^[^\s@,<>]+@[^\s@,<>]+\.[^\s@,<>.]+$/.test(given);
}
