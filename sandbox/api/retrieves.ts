import type { Kind } from '../store/kinds.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

/** `GET path/:id`; `param` is what an error calls the id. */
export function retrieves(path: string, kind: Kind, param = 'id'): Endpoint {
  return endpoint('GET', `${path}/:id`, {}, (scope, _params, ids) =>
    scope.objects.get(kind, ids.id, param),
  );
}
