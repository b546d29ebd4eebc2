/**
 * Set by a page when it requests content, and cleared by the server's response that delivers a
 * file: browsers give a page no other way to learn that a download has started. A web address
 * leaves the page.
 */
export const OPENING_COOKIE = 'padlink_opening';
