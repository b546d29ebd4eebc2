const ADDRESS = /(https?:\/\/\S+)/;

/** A message's plain text, with addresses to press. */
export function MailText({ text }: { text: string }) {
  return (
    <p className="mt-4 whitespace-pre-line break-words">
      {text.split(ADDRESS).map((part, index) =>
        index % 2 === 1 ? (
          <a className="text-link" href={part} key={part}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </p>
  );
}
