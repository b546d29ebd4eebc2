import { say } from '../languages/say.ts';

const STEPS = [
  ['Upload', 'Choose a file or a web address to sell, and set your price.'],
  ['Share', 'Put your paywall link wherever your audience is.'],
  ['Earn', 'Buyers pay by card and get it at once. You see each sale on your dashboard.'],
] as const;

/** How selling works. */
export function Steps() {
  return (
    <ol className="steps">
      {STEPS.map(([name, words], index) => (
        <li key={name}>
          <p className="font-semibold">{`${index + 1}. ${say(name)}`}</p>
          <p className="mt-1 text-muted">{say(words)}</p>
        </li>
      ))}
    </ol>
  );
}
