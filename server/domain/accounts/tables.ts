/** The part of better-auth's own table that the domain reads; better-auth writes it. */
interface UserTable {
  id: string;
  email: string;
  firstName: string;
}

export interface AccountTables {
  user: UserTable;
}
