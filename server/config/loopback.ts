/** Host names of this machine, as URL writes them. */
export const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
