import { sayWith } from '../languages/say-with.ts';

interface SellerNameProps {
  seller?: string | null | undefined;
  sellerHandle?: string | null | undefined;
  sellerPicture?: { url: string } | null | undefined;
  className?: string;
}

/** Who sells a link, and the way to their page where they have one. */
export function SellerName({ seller, sellerHandle, sellerPicture, className }: SellerNameProps) {
  const name = seller ?? sellerHandle;
  if (!name) return null;
  return (
    <span className={className}>
      {sellerPicture && (
        <img
          alt=""
          className="mr-1.5 inline-block size-5 rounded-full object-cover align-text-bottom"
          height={20}
          loading="lazy"
          src={sellerPicture.url}
          width={20}
        />
      )}
      {sayWith('by {name}', {
        name: sellerHandle ? (
          <a className="text-link py-1" href={`/s/${sellerHandle}`}>
            {name}
          </a>
        ) : (
          name
        ),
      })}
    </span>
  );
}
