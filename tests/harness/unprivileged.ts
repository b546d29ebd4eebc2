const nobody = 65_534;

/** Spawn options for programs that refuse to run as root, as PostgreSQL does. */
export const unprivileged = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};
