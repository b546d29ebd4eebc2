import { MoonIcon, SunIcon, SystemIcon } from './icons.tsx';

const CHOICES = [
  { value: 'system', label: 'As the system', ChoiceIcon: SystemIcon },
  { value: 'light', label: 'Light', ChoiceIcon: SunIcon },
  { value: 'dark', label: 'Dark', ChoiceIcon: MoonIcon },
];

/** Served by web/theme.ts, since it works on pages that are never hydrated. */
export function ThemeSwitch() {
  return (
    <fieldset className="theme-switch">
      <legend className="sr-only">Colours of the page</legend>
      {CHOICES.map(({ value, label, ChoiceIcon }) => (
        <label className="theme-choice" key={value} title={label}>
          <input defaultChecked={value === 'system'} name="theme" type="radio" value={value} />
          <ChoiceIcon className="size-5" />
          <span className="sr-only">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
