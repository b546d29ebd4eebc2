import type { Language } from '../../../contract/languages.ts';
import type { Database } from '../../ground/database/tables.ts';

/** From now on, the account is mailed in this language. */
export async function chooseLanguage(
  db: Database,
  { id, language: before }: { id: string; language: Language },
  language: Language,
): Promise<void> {
  if (language === before) return;
  await db.updateTable('user').set({ language }).where('id', '=', id).execute();
}
