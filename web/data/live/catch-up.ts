export interface CatchUp {
  /** A live answer came: what is being read may be older. */
  heard(): void;
  /** Reads everything afresh and shows it. */
  run(): Promise<void>;
}

/** Reads beside live answers, so that an older state never covers a newer one. */
export function createCatchUp<Data>(
  read: () => Promise<Data>,
  show: (data: Data) => void,
): CatchUp {
  let answers = 0;
  let newest = 0;
  return {
    heard() {
      answers += 1;
    },
    async run() {
      newest += 1;
      const run = newest;
      for (;;) {
        const before = answers;
        const data = await read();
        // A later run knows better.
        if (run !== newest) return;
        if (before === answers) return show(data);
      }
    },
  };
}
