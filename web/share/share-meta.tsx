interface ShareMetaProps {
  /** Open Graph, by property. */
  properties: Record<string, string | undefined>;
  /** Twitter's own, by name. */
  names: Record<string, string | undefined>;
}

/** What other sites read when an address is put on them. */
export function ShareMeta({ properties, names }: ShareMetaProps) {
  return (
    <>
      {Object.entries(properties).map(([property, content]) => (
        <meta content={content} key={property} property={property} />
      ))}
      {Object.entries(names).map(([name, content]) => (
        <meta content={content} key={name} name={name} />
      ))}
    </>
  );
}
