/**
 * A page sets it when it asks for content, and the server's answer that brings a file takes it away:
 * no browser tells a page in any other way that a download has begun. A web address leaves the page.
 */
export const OPENING_COOKIE = 'padlink_opening';
