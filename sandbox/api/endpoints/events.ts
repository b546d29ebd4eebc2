import { z } from 'zod';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { listPage, listShape } from '../list-page.ts';
import { text } from '../param-types.ts';
import { retrieves } from '../retrieves.ts';

export const events: Endpoint[] = [
  retrieves('/v1/events', 'event'),
  endpoint(
    'GET',
    '/v1/events',
    { ...listShape, type: text().optional(), types: z.array(text()).max(20).optional() },
    (scope, { type, types, ...page }) =>
      listPage(scope, 'event', '/v1/events', page, { type: type ?? types }),
  ),
];
