import { Lock } from './lock.tsx';

export function Brand() {
  return (
    <a className="brand inline-flex min-h-11 items-center gap-2 text-lg font-semibold" href="/">
      <Lock className="size-6" />
      Padlink
    </a>
  );
}
