import { BROWSERS_OWN } from './service-worker.ts';

/** The text of the speculation rules in every page; the server allows it by its hash. */
export const SPECULATION_RULES = JSON.stringify({
  prefetch: [
    {
      where: {
        and: [
          { href_matches: '/*' },
          ...BROWSERS_OWN.map((path) => ({ not: { href_matches: path } })),
        ],
      },
      eagerness: 'moderate',
    },
  ],
});
