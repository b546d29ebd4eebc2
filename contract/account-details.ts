/** What the account page shows a person of their own account. */
export interface AccountDetails {
  email: string;
}
