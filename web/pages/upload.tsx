import { UploadFlow } from '../components/upload/upload-flow.tsx';
import { definePage, type PageProps } from '../page.ts';

export const page = definePage({
  hydrate: 'now',
  head: () => ({ title: 'Upload a File · Padlink', robots: 'noindex' }),
  Component: UploadPage,
});

function UploadPage({ ctx }: PageProps<unknown>) {
  return (
    <div className="mx-auto w-full max-w-xl px-5 py-12 sm:py-16">
      <h1 className="text-3xl sm:text-4xl">Upload a File</h1>
      <p className="mt-3 mb-8 text-lg text-muted">Set your price and generate a paywall link.</p>
      <UploadFlow ctx={ctx} />
      <noscript>
        <p className="mt-6 text-muted">
          Uploading needs JavaScript, which is turned off in this browser.
        </p>
      </noscript>
    </div>
  );
}
