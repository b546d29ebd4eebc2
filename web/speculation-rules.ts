/** Pages may be fetched ahead; whatever delivers, pays, signs or reports may not. */
const NEVER_AHEAD = [
  '/p/*/content',
  '/sandbox/*',
  '/api/*',
  '/storage/*',
  '/download/*',
  '/dashboard/*',
  '/logout',
];

/** The text of the speculation rules in every page; the server allows it by its hash. */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [
          { href_matches: '/*' },
          ...NEVER_AHEAD.map((path) => ({ not: { href_matches: path } })),
        ],
      },
      eagerness: 'moderate',
    },
  ],
});
