import type { ComponentProps } from 'react';
import { say } from '../languages/say.ts';
import { Alert } from './alert.tsx';

interface ListFailedProps {
  /** What could not be loaded: "Your sales". */
  what: string;
  /** Of the list. */
  address: string;
}

/** In place of a list that could not be loaded. */
export function ListFailed({ what, address }: ListFailedProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Alert>{say('{what} could not be loaded.', { what })}</Alert>
      <a className="button button-secondary button-small" href={address}>
        {say('Try again')}
      </a>
    </div>
  );
}

interface OtherPagesProps {
  /** Of the first page. */
  address: string;
  /** Where this page begins, if it is not the first one. */
  after: string | undefined;
  nextToken: string | null;
  /** What leads to the first page: "Show the newest". */
  first: string;
  /** What leads to the next one: "Show older sales". */
  next: string;
}

/** The ways from one page of a list to the first and to the next one. */
export function OtherPages({ address, after, nextToken, first, next }: OtherPagesProps) {
  if (!nextToken && !after) return null;
  const separator = address.includes('?') ? '&' : '?';
  return (
    <nav aria-label={say('Pages')} className="flex flex-wrap gap-x-6">
      {after && (
        <a className="text-link inline-flex min-h-11 items-center" href={address}>
          {first}
        </a>
      )}
      {nextToken && (
        <a
          className="text-link inline-flex min-h-11 items-center"
          href={`${address}${separator}${new URLSearchParams({ after: nextToken })}`}
        >
          {next}
        </a>
      )}
    </nav>
  );
}

interface ResendReceiptProps extends ComponentProps<'button'> {
  /** What was bought. */
  name: string;
  isSent: boolean;
}

/** The button that sends a receipt again; once it is sent, the words that say so. */
export function ResendReceipt({ name, isSent, children, ...button }: ResendReceiptProps) {
  return isSent ? (
    <p className="text-sm font-medium" role="status">
      {say('The receipt is on its way.')}
    </p>
  ) : (
    <button
      aria-label={say('Send the receipt again: {name}', { name })}
      className="button button-secondary button-small"
      {...button}
    >
      {children || say('Send the receipt again')}
    </button>
  );
}
