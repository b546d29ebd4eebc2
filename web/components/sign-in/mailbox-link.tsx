/** The way to the mail where it is kept on this server; a new tab, so that the code's field stays. */
export function MailboxLink() {
  return (
    <p className="mb-5">
      <a className="text-link" href="/mailbox" rel="noopener" target="_blank">
        Open the mailbox<span className="sr-only"> in a new tab</span>
      </a>
    </p>
  );
}
