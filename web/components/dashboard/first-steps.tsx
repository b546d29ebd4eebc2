import { UploadIcon } from '../icons.tsx';
import { LinkKey } from '../link-key.tsx';

const STEPS = [
  ['Upload', 'A file, or a web address to sell, and the price you ask.'],
  ['Share', 'Your paywall link goes wherever your people are.'],
  ['Earn', 'They pay by card and have it at once. You see it here.'],
] as const;

/** How it goes, for who has no links. */
export function FirstSteps() {
  return (
    <div className="card flex flex-col items-center gap-7 px-6 py-12 text-center">
      <LinkKey className="w-24 opacity-60" id="00000000" />
      <p className="text-lg text-muted">No paywall links yet.</p>
      <ol className="steps">
        {STEPS.map(([name, words], index) => (
          <li key={name}>
            <h3 className="font-semibold">
              {index + 1}. {name}
            </h3>
            <p className="mt-1 text-muted">{words}</p>
          </li>
        ))}
      </ol>
      <a className="button button-primary" href="/upload">
        <UploadIcon className="size-5" />
        Upload a File
      </a>
    </div>
  );
}
