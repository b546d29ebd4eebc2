/**
 * How an exported table is written: `plain` for programs; for spreadsheets, whose countries write
 * 4.99 and separate cells by a comma, or write 4,99 and separate them by a semicolon.
 */
export const TABLE_FORMS = ['plain', 'comma', 'semicolon'] as const;

export type TableForm = (typeof TABLE_FORMS)[number];

/** Holds the form that was exported last. */
export const TABLE_FORM_COOKIE = 'table_form';

export const isTableForm = (form: unknown): form is TableForm =>
  TABLE_FORMS.some((known) => known === form);
