/** What the process that stamps a PDF ends with where that PDF cannot be stamped. */
export const UNSTAMPABLE = 3;
