import { ABOUT_SETTINGS, DEFAULTS_IN_WORDS } from '../server/ground/config/about-settings.ts';
import { FIELDS, type SettingName } from '../server/ground/config/settings.ts';

const HEAD = `<!-- Printed by \`npm run settings\` from server/ground/config/: change that instead. -->

# Settings

For whoever sets up Padlink on a server; [operating.md](operating.md) says how.

Every setting is an environment variable. \`NAME_FILE\` gives the path of a file that contains \`NAME\`, for secrets. An empty value counts as none. If settings are wrong or contradict each other, Padlink does not start and lists all the errors at once.
`;

/** What has no form to keep to. */
const ANYTHING = ['must be text', 'must be a folder'];

/** docs/settings.md: what every setting is for, its default and what it takes. */
export function describeSettings(): string {
  const sections = Object.entries(ABOUT_SETTINGS).map(([heading, settings]) => {
    const rows = Object.entries(settings).map(([name, use]) => {
      const setting = name as SettingName;
      return `| \`${name}\` | ${defaultOf(setting)} | ${use}${limitsOf(setting)} |\n`;
    });
    return `\n## ${heading}\n\n| Setting | Default | What it is for |\n|---|---|---|\n${rows.join('')}`;
  });
  return HEAD + sections.join('');
}

function defaultOf(name: SettingName): string {
  const words = DEFAULTS_IN_WORDS[name];
  if (words !== undefined) return words;
  const standard: unknown = FIELDS[name].schema.parse(undefined);
  if (standard === undefined || (Array.isArray(standard) && standard.length === 0)) return 'none';
  const isSize = typeof standard === 'number' && standard % 1024 ** 3 === 0 && standard > 0;
  return isSize ? `${standard / 1024 ** 3} GiB` : `\`${standard}\``;
}

/** What a refusal says that the value must be, without its advice. */
function limitsOf(name: SettingName): string {
  const { must } = FIELDS[name];
  if (ANYTHING.includes(must)) return '';
  const rule = must
    .replace(/; (?:copy|use) .*/, '')
    .replace(` to ${Number.MAX_SAFE_INTEGER}`, ' up')
    .replaceAll(/[<|]/g, String.raw`\$&`);
  return ` M${rule.slice(1)}.`;
}
