import type { App } from '../harness/start-app.ts';
import { withDatabase } from '../harness/with-database.ts';
import { readUserId, signUp } from './factories.ts';

/** Signs up in a new browser, as an account that was made an operator. */
export async function signUpOperator(app: Pick<App, 'origin' | 'env'>) {
  const operator = await signUp(app, { firstName: 'Olga' });
  const user_id = await readUserId(operator);
  await withDatabase(app, (db) =>
    db.insertInto('operator').values({ user_id, granted_at: Date.now() }).execute(),
  );
  return operator;
}
