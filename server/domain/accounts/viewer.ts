export interface User {
  id: string;
  email: string;
  firstName: string;
  /** When this session began, UTC milliseconds. */
  signedInAt: number;
}

/** Who asks, as far as it decides what they may read and do. */
export interface Viewer {
  /**
   * 'none': no key and no session. 'reader': the publishable key or a plain page view.
   * 'creator': a session or a creator's secret key. 'operator': the service key.
   */
  authority: 'none' | 'reader' | 'creator' | 'operator';
  /** Whose links and files these are to manage. Present exactly for 'creator'. */
  creatorId: string | null;
  /**
   * Who is signed in: what the account itself, its purchases and its money are decided by. A secret
   * key signs nobody in.
   */
  user: User | null;
  /** SHA-256 of the browser's claim cookie, hex. */
  claimHash: string | null;
}
