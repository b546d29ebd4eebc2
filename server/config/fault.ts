/** What is wrong with one setting, and what to do about it. Never holds the value: it may be secret. */
export interface Fault {
  name: string;
  message: string;
}
