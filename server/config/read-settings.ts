import type { Fault } from './fault.ts';
import { FIELDS, type SettingName, type Settings } from './settings.ts';

type Values = Record<string, string | undefined>;

/** Reads each setting by itself, so that a fault of one hides none of another. */
export function readSettings(values: Values): { settings: Partial<Settings>; faults: Fault[] } {
  const settings: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const name of Object.keys(FIELDS) as SettingName[]) {
    const { schema, must } = FIELDS[name];
    const read = schema.safeParse(values[name]);
    if (read.success) settings[name] = read.data;
    else faults.push({ name, message: must });
  }
  return { settings: settings as Partial<Settings>, faults };
}
