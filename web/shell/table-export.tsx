import type { TableForm } from '../../contract/tables.ts';
import { type Sentence, say } from '../languages/say.ts';
import type { PageContext } from '../page.ts';
import { Still } from './raw.tsx';

interface TableExportProps {
  ctx: PageContext;
  /** What fetches each table, by its address. */
  tables: Record<string, string>;
  /** The link that they are about; all without. */
  link?: string | undefined;
}

const FORMS: Record<TableForm, Sentence> = {
  comma: 'Spreadsheets with 4.99',
  semicolon: 'Spreadsheets with 4,99',
  plain: 'Other programs',
};

/** Buttons that fetch tables, and beside them a choice of the program they are for: a form, which needs no script. */
export function TableExport(props: TableExportProps) {
  return <Still>{import.meta.env.SSR && <ExportForm {...props} />}</Still>;
}

function ExportForm({ ctx, tables, link }: TableExportProps) {
  const usual = ctx.language === 'de' ? 'semicolon' : 'comma';
  return (
    <form className="mt-2 flex flex-wrap items-end gap-3" method="get">
      <label className="min-w-0">
        <span className="mb-1.5 block text-sm text-muted">{say('Export for')}</span>
        <select className="input" defaultValue={ctx.tableForm ?? usual} name="form">
          {Object.entries(FORMS).map(([form, words]) => (
            <option key={form} value={form}>
              {say(words)}
            </option>
          ))}
        </select>
      </label>
      {link !== undefined && <input name="link" type="hidden" value={link} />}
      {Object.entries(tables).map(([address, words]) => (
        <button
          className="button button-secondary"
          formAction={address}
          key={address}
          type="submit"
        >
          {words}
        </button>
      ))}
    </form>
  );
}
