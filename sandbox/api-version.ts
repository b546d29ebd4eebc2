/** The version of the provider's API that is spoken here; a test compares it with the SDK's. */
export const API_VERSION = '2026-10-28.endive';
